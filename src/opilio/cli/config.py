"""`opilio config`: which settings are in force, and where each came from."""

from typing import Any

from opilio.cli.command import command, noun_app
from opilio.cli.output import Answer, Rows
from opilio.kernel import config
from opilio.kernel.config import Loaded

app = noun_app("Look at the settings in force.")


@command(app, "show")
def show() -> Answer:
    """Print every setting: its value, where it came from, and what it is for. Secrets are only said to be set."""
    loaded = config.load()
    settings = [_told(name, loaded) for name in config.names()]
    rows = [(one["name"], one["value"], one["origin"], one["sentence"]) for one in settings]
    document = {"settings": settings}
    return Answer(document=document, parts=[Rows(columns=("setting", "value", "origin", "meaning"), rows=rows)])


@command(app, "check")
def check() -> Answer:
    """Read all settings and say whether they can be used; the first that cannot is named."""
    loaded = config.load()
    changed = {name: origin for name, origin in loaded.origins.items() if origin != "default"}
    words = f"The settings are in order; {len(changed)} of {len(config.names())} differ from their defaults."
    return Answer(document={"ok": True, "changed": changed}, parts=[words])


def _told(name: str, loaded: Loaded) -> dict[str, Any]:
    value = getattr(loaded.settings, name)
    rule = config.rule(name)
    shown = ("set" if value else "") if rule.secret else list(value) if isinstance(value, tuple) else value
    return {
        "name": name,
        "value": shown if isinstance(shown, str | int | float | bool | list) else str(shown),
        "secret": rule.secret,
        "origin": loaded.origins[name],
        "variable": config.variable(name),
        "sentence": rule.sentence,
    }
