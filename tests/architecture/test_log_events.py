"""Every log event has one name, listed in kernel/events.py and in the reference."""

import ast
import functools
import re
from pathlib import Path

from opilio.kernel.events import EVENTS, table

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "opilio"
METHODS = {"debug", "info", "warning", "error", "critical", "exception", "adebug", "ainfo", "awarning", "aerror"}
LOGGERS = {"log", "_log", "logger"}
MENTIONED = re.compile(r"\b_?log(?:ger)?\s*\.")  # what a file with such a call has somewhere


def is_log_call(node):
    """`log.info(…)`, `self.log.info(…)`, `log.bind(…).info(…)`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in METHODS:
        return False
    target = node.func.value
    while isinstance(target, ast.Call) and isinstance(target.func, ast.Attribute):
        target = target.func.value
    return getattr(target, "attr", getattr(target, "id", None)) in LOGGERS


def calls(source):
    """The event of each log call: its text, or None when it is not written out."""
    for node in ast.walk(ast.parse(source)):
        if is_log_call(node):
            first = node.args[0] if node.args else None
            yield node.lineno, first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None


@functools.cache
def logged():
    """(place, event) of every call of our loggers; the standard library's are for code that must not need ours."""
    sources = {path: path.read_text("utf-8") for path in sorted(SOURCES.rglob("*.py"))}
    return [
        (f"{path.relative_to(ROOT)}:{line}", event)
        for path, source in sources.items()
        if "logging.getLogger(__name__)" not in source and MENTIONED.search(source)
        for line, event in calls(source)
    ]


def test_calls_are_recognised():
    """The search sees bound loggers and events that are not written out."""
    lines = [
        'log.info("a")',
        '_log.warning("b", x=1)',
        'self.log.bind(x=1).error("c")',
        'log.info(f"{d}")',
        'form.error("e")',
    ]
    assert list(calls("\n".join(lines))) == [(1, "a"), (2, "b"), (3, "c"), (4, None)]


def test_every_event_is_listed():
    """A log call names its event as a plain string that kernel/events.py lists."""
    assert [(place, event) for place, event in logged() if event not in EVENTS] == []


def test_no_listed_event_is_dead():
    """An event that nothing logs any more is taken off the list."""
    used = {event for _, event in logged()}
    texts = [path.read_text("utf-8") for path in SOURCES.rglob("*.py") if path.name != "events.py"]
    assert [name for name in EVENTS if name not in used and not any(f'"{name}"' in text for text in texts)] == []


def test_names_and_sentences_have_one_form():
    """Names are lower case with underscores; sentences end with a full stop."""
    assert [name for name in EVENTS if not name.isidentifier() or name != name.lower()] == []
    assert [name for name, sentence in EVENTS.items() if not sentence.endswith(".")] == []


def test_the_reference_lists_every_event():
    """docs/reference/log-events.md holds the table made from the list."""
    assert table() in (ROOT / "docs" / "reference" / "log-events.md").read_text("utf-8")
