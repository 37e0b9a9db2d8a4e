"""Routes the logs of a long-running process as the settings say."""

from opilio.kernel import logs
from opilio.kernel.settings import Settings

_AS_JSON = {"auto": None, "human": False, "json": True}


def configure(settings: Settings) -> None:
    """Level and form of the log lines of this process."""
    logs.configure(as_json=_AS_JSON[settings.log_format], level=settings.log_level)
