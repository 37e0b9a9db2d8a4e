"""Plain pages: what a well-behaved server does, for comparison and as a target of other behaviours."""

from tests.servers.answers import Response, document, page
from tests.servers.behaviour import Behaviour, Visit, whole

TEXT = "Harvest mice weave their nests between the stalks.\n"


def plain(_: Visit) -> Response:
    """Answers with a short HTML page."""
    return page("A page", f"<p>{TEXT}</p>")


def echo(visit: Visit) -> Response:
    """Answers with the request as JSON: method, target, host, headers and body."""
    request = visit.request
    return document(
        {
            "method": request.method, "target": request.target, "host": request.host, "version": request.version,
            "headers": request.headers, "body": request.body.decode("latin-1"),
        }
    )  # fmt: skip


def status(visit: Visit) -> Response:
    """Answers with the status in the path."""
    code = whole(visit.segment("404"), name="status", low=200, high=999)
    return page(f"Status {code}", "<p>As asked for.</p>", status=code)


def of_type(visit: Visit) -> Response:
    """Answers with the `type` and `size` (bytes) of the query."""
    size = visit.number("size", 100, high=64 << 20)
    return Response(body=b"x" * size, type=visit.text("type", "application/octet-stream"))


def no_head(visit: Visit) -> Response:
    """Refuses HEAD with 405, answers GET."""
    if visit.request.method == "HEAD":
        return page("Not allowed", "", status=405, headers=(("Allow", "GET"),))
    return plain(visit)


BEHAVIOURS = (
    Behaviour(name="page", path="/page", answer=plain),
    Behaviour(name="echo", path="/echo", answer=echo),
    Behaviour(name="status", path="/status", example="/status/410", answer=status),
    Behaviour(name="type", path="/type", example="/type?type=application/pdf&size=10", answer=of_type),
    Behaviour(name="no-head", path="/no-head", answer=no_head),
)
