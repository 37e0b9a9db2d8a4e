"""Logs: one line per event, two forms, no secrets, libraries included."""

import asyncio
import io
import json
import logging

import pytest

from opilio.kernel import logs
from opilio.kernel.clock import ManualClock
from opilio.kernel.errors import BadSetting

log = logs.logger("opilio.test")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def _restore():
    """Put the root logger back as the test runner had it."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    library = logging.getLogger("a.library")
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    library.handlers.clear()
    library.propagate = True


@pytest.fixture
def lines():
    """Configure JSON logs; gives a function that reads them."""
    stream = io.StringIO()
    logs.configure(as_json=True, level="debug", stream=stream, clock=ManualClock())
    return lambda: [json.loads(line) for line in stream.getvalue().splitlines()]


def test_an_event_is_one_json_line(lines):
    """Time, level and name come first, then the fields."""
    log.info("fetched", url="http://example.com/", status=200)
    assert list(lines()[0].items()) == [
        ("time", "2026-01-01T00:00:00.000Z"),
        ("level", "info"),
        ("event", "fetched"),
        ("url", "http://example.com/"),
        ("status", 200),
        ("logger", "opilio.test"),
    ]


def test_secrets_do_not_reach_the_log(lines):
    """Fields, nested fields, URLs and messages of libraries are cleaned."""
    log.warning(
        "signed_in",
        password="hunter2",
        headers={"Cookie": "hunter2"},
        url="http://a:hunter2@example.com/?token=hunter2",
    )
    logging.getLogger("a.library").error("connecting to %s", "postgresql://u:hunter2@db/x")
    logging.getLogger("a.library").error("password=%s", "hunter2")
    assert "hunter2" not in json.dumps(lines())
    assert len(lines()) == 3


def test_library_messages_are_events_too(lines):
    """A record of the standard library keeps its words, its logger and its level."""
    with logs.bound(correlation="c1"):
        logging.getLogger("a.library").warning("took %d ms", 7)
    [line] = lines()
    assert (line["event"], line["message"], line["logger"], line["level"], line["correlation"]) == (
        "library",
        "took 7 ms",
        "a.library",
        "warning",
        "c1",
    )


def test_libraries_lose_their_own_handlers():
    """A library that printed for itself speaks through ours, once."""
    own, stream = io.StringIO(), io.StringIO()
    library = logging.getLogger("a.library")
    library.addHandler(logging.StreamHandler(own))
    library.propagate = False
    logs.configure(as_json=True, stream=stream)
    library.warning("hello")
    assert own.getvalue() == ""
    assert stream.getvalue().count("hello") == 1


def test_nothing_can_forge_a_line():
    """Line breaks and escape sequences in values stay inside their line, in both forms."""
    for as_json in (True, False):
        stream = io.StringIO()
        logs.configure(as_json=as_json, stream=stream)
        log.info("fetched", title="x\n2026-01-01T00:00:00Z [info] forged\x1b[2J", **{"k\ney": "v"})
        logging.getLogger("a.library").info("x\r\nforged")
        assert len(stream.getvalue().splitlines()) == 2
        assert "\x1b" not in stream.getvalue()


def test_tracebacks_are_kept_and_cannot_forge():
    """An exception is logged with its traceback; its message cannot start a line, nor leak a secret."""
    stream = io.StringIO()
    logs.configure(as_json=False, stream=stream)
    try:
        raise ValueError("bad\n2026-01-01 [info] forged token=hunter2")
    except ValueError:
        log.exception("job_failed", job=7)
    first, *rest = stream.getvalue().splitlines()
    assert "job_failed" in first
    assert any("ValueError: bad" in line for line in rest)
    assert all(line.startswith("  | ") for line in rest if line)
    assert "hunter2" not in stream.getvalue()


def test_people_on_a_terminal_get_colours_and_others_json():
    """Without a choice, the stream decides the form."""
    terminal, pipe = Terminal(), io.StringIO()
    logs.configure(stream=terminal)
    log.info("fetched", status=200)
    logs.configure(stream=pipe)
    log.info("fetched", status=200)
    assert "\x1b[" in terminal.getvalue()
    assert json.loads(pipe.getvalue())["status"] == 200


def test_a_terminal_without_unicode_is_no_reason_to_fail():
    """What the stream cannot write is escaped."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    logs.configure(as_json=False, stream=stream)
    log.info("fetched", title="größe")
    stream.flush()
    assert b"gr\\xf6\\xdfe" in raw.getvalue()


def test_the_level_decides_what_is_written(lines):
    """Below the level nothing is written, by us or by libraries."""
    stream = io.StringIO()
    logs.configure(as_json=True, level="warning", stream=stream)
    log.info("fetched")
    logging.getLogger("a.library").info("quiet")
    log.warning("slow")
    assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == ["slow"]


def test_an_unknown_level_is_refused():
    """The message lists the levels there are."""
    with pytest.raises(BadSetting, match="debug, info, warning"):
        logs.configure(level="loud")


def test_configuring_again_replaces():
    """After a second configuration each event is written once, to the new stream."""
    old, new = io.StringIO(), io.StringIO()
    logs.configure(as_json=True, stream=old)
    logs.configure(as_json=True, stream=new)
    log.info("fetched")
    assert old.getvalue() == ""
    assert len(new.getvalue().splitlines()) == 1


def test_bound_values_belong_to_their_block_and_task(lines):
    """Tasks that run at the same time keep their own correlation, and none is left afterwards."""

    async def work(name):
        with logs.bound(correlation=name):
            await asyncio.sleep(0)
            log.info("fetched", task=name)
            assert logs.correlation() == name

    async def both():
        await asyncio.gather(work("a"), work("b"))

    asyncio.run(both())
    log.info("fetched")
    ours = [line for line in lines() if line["event"] == "fetched"]
    assert [(line.get("task"), line.get("correlation")) for line in ours] == [("a", "a"), ("b", "b"), (None, None)]
    assert logs.correlation() is None


def test_new_correlations_differ():
    """Every piece of work gets its own id."""
    assert len({logs.new_correlation() for _ in range(100)}) == 100


def test_a_program_that_never_configured_gets_clean_records():
    """A host application's own handler receives the event without secrets."""
    seen = []

    class Keeping(logging.Handler):
        def emit(self, record):
            seen.append(record.getMessage())

    root = logging.getLogger()
    root.handlers[:] = [Keeping()]
    root.setLevel("INFO")
    log.info("signed_in", password="hunter2")
    assert len(seen) == 1
    assert "signed_in" in seen[0]
    assert "hunter2" not in seen[0]
