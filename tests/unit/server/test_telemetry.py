"""Traces: off unless asked for, one for a correlation, named in every log line, and without what errors say."""

import dataclasses
import io
import json

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from opilio.kernel import logs, traces
from opilio.kernel.errors import BadSetting
from opilio.kernel.settings import Settings
from opilio.server import telemetry


@pytest.fixture
def spans():
    """What was recorded, once it is asked for."""
    exporter = InMemorySpanExporter()
    telemetry.install(Settings(), service="tests", exporter=exporter)
    tracer = traces._Installed.tracer

    def finished():
        tracer.flush()
        return exporter.get_finished_spans()

    yield finished
    traces.install(None)
    tracer._provider.shutdown()


def test_off_by_default():
    """Without an address nobody records, and a span costs nothing."""
    telemetry.install(Settings(), service="tests")
    assert traces._Installed.tracer is None
    with traces.span("anything", job=1):
        assert "trace" not in logs.structlog.contextvars.get_contextvars()


def test_one_correlation_is_one_trace(spans):
    """A request and the job behind it, in another process and hours later, are shown together."""
    with logs.bound(correlation="abcdef0123456789"), traces.span("request", path="/targets"):
        pass
    with logs.bound(correlation="abcdef0123456789"), traces.span("job", job=7), traces.span("harvest", harvest=3):
        pass
    with logs.bound(correlation="another-one"), traces.span("request", path="/"):
        pass
    request, harvest, job, other = spans()
    assert request.context.trace_id == job.context.trace_id == harvest.context.trace_id != other.context.trace_id
    assert harvest.parent.span_id == job.context.span_id
    assert dict(job.attributes) == {"opilio.job": 7, "opilio.correlation": "abcdef0123456789"}
    assert request.resource.attributes["service.name"] == "opilio-tests"


def test_log_lines_name_the_trace(spans):
    """Whoever reads a line finds its trace, and the other way round."""
    stream = io.StringIO()
    logs.configure(as_json=True, stream=stream)
    with logs.bound(correlation="abcdef0123456789"), traces.span("job", job=7):
        logs.logger("opilio.tests").info("job_ended", verdict="complete")
    line = json.loads(stream.getvalue())
    (span,) = spans()
    assert line["trace"] == f"{span.context.trace_id:032x}"
    assert line["span"] == f"{span.context.span_id:016x}"
    assert line["correlation"] == "abcdef0123456789"


def test_what_an_error_says_does_not_leave(spans):
    """A failed span has the kind of the error, not its words, which may hold secrets."""
    with pytest.raises(ValueError, match="hunter2"), traces.span("job"):
        raise ValueError("password hunter2")
    (span,) = spans()
    assert not span.status.is_ok
    assert span.status.description == "ValueError"
    assert "hunter2" not in span.to_json()


def test_without_the_library_the_setting_is_refused(monkeypatch):
    """The remedy names the extra."""
    monkeypatch.setattr(telemetry, "otel", None)
    wished = dataclasses.replace(Settings(), traces_endpoint="http://127.0.0.1:4318/v1/traces")
    with pytest.raises(BadSetting) as refused:
        telemetry.install(wished, service="tests")
    assert "opilio[traces]" in refused.value.remedy
