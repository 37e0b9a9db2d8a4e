"""`python -m opilio.server.pages_process HOST PORT WORKERS`: pages and API by granian, started by `opilio serve`."""

import os
import sys

from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from opilio.kernel import config
from opilio.server import lifeline, log_format, request_counts

_LAST_WORD = 5  # seconds that open requests have after SIGTERM
#: granian's loggers speak through ours.
_LOGGERS = {
    "handlers": {},
    "loggers": {name: {"handlers": [], "propagate": True} for name in ("_granian", "granian.access")},
}


def main(host: str, port: str, workers: str) -> None:
    """Serve until a signal comes, or the parent ends."""
    settings = config.load().settings
    log_format.configure(settings)
    lifeline.end_with_parent()
    request_counts.clear(os.getpid())
    server = Granian(
        "opilio.server.worker:application",
        address=host,
        port=int(port),
        interface=Interfaces.ASGINL,
        workers=int(workers),
        websockets=False,
        log_dictconfig=_LOGGERS,
        log_level=LogLevels(settings.log_level),
        respawn_failed_workers=True,
        workers_kill_timeout=_LAST_WORD,
    )
    try:
        server.serve()
    finally:
        request_counts.clear(os.getpid())


if __name__ == "__main__":
    main(*sys.argv[1:])
