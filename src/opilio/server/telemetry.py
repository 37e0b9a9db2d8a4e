"""Traces by OpenTelemetry, handed on by OTLP over HTTP: with `pip install 'opilio[traces]'` and the setting
traces_endpoint. All spans under one correlation are of one trace, whose id is derived from it.
"""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from opilio import __version__
from opilio.kernel import traces
from opilio.kernel.errors import BadSetting
from opilio.kernel.settings import Settings
from opilio.kernel.traces import Began, Value

try:
    from opentelemetry import trace as otel
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.sampling import TraceIdRatioBased
    from opentelemetry.trace import NonRecordingSpan, SpanContext, StatusCode, TraceFlags
except ImportError:
    otel = None  # type: ignore[assignment]  # the extra is not installed


def install(settings: Settings, *, service: str, exporter: Any = None) -> None:
    """Trace this process, if the settings name somebody to tell; `exporter` takes the spans instead."""
    if not settings.traces_endpoint and exporter is None:
        return
    if otel is None:
        raise BadSetting(
            "Traces need OpenTelemetry, which is not installed", where="traces_endpoint",
            remedy="Run `pip install 'opilio[traces]'`, or leave the setting empty.",
        )  # fmt: skip
    described = Resource.create({"service.name": f"opilio-{service}", "service.version": __version__})
    provider = TracerProvider(resource=described, sampler=TraceIdRatioBased(settings.traces_share))
    wanted = exporter or OTLPSpanExporter(endpoint=settings.traces_endpoint, timeout=10)
    provider.add_span_processor(BatchSpanProcessor(wanted))
    traces.install(OpenTelemetry(provider))


class OpenTelemetry:
    """The tracer of a process."""

    def __init__(self, provider: "TracerProvider") -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("opilio", __version__)

    @contextmanager
    def begin(self, name: str, *, correlation: str, attributes: Mapping[str, Value]) -> Iterator[Began]:
        """A span below the one at hand, or below what its correlation stands for."""
        told = {
            f"opilio.{key}": value for key, value in {**attributes, "correlation": correlation}.items() if value != ""
        }
        inside = otel.get_current_span().get_span_context().is_valid
        context = None if inside or not correlation else _context(correlation)
        with self._tracer.start_as_current_span(
            name, context=context, attributes=told, record_exception=False, set_status_on_exception=False
        ) as span:
            found = span.get_span_context()
            try:
                yield Began(trace=f"{found.trace_id:032x}", span=f"{found.span_id:016x}")
            except BaseException as error:
                span.set_status(StatusCode.ERROR, type(error).__name__)  # messages may hold what must not leave
                raise

    def flush(self) -> None:
        """Hand on what waits."""
        self._provider.force_flush()


def _context(correlation: str) -> Any:
    """The trace of a correlation, with a parent that stands for whoever began it."""
    digest = hashlib.sha256(correlation.encode()).digest()
    parent = SpanContext(
        trace_id=int.from_bytes(digest[:16], "big") or 1, span_id=int.from_bytes(digest[16:24], "big") or 1,
        is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED),
    )  # fmt: skip
    return otel.set_span_in_context(NonRecordingSpan(parent))
