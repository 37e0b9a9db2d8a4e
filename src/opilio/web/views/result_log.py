"""The logs and reports of a result's harvest: read by line, time, text or expression; the way to a URL; files."""

from typing import Any
from urllib.parse import urlencode

from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from opilio.curation.queries import result_logs as query
from opilio.curation.queries import results
from opilio.curation.queries.harvest_records import moment
from opilio.kernel.errors import InvalidInput, OpilioError
from opilio.web.find_words import size
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.streams import download
from opilio.web.views.result_tree import number_of, shown
from opilio.works.harvest_records import NothingHere
from opilio.works.log_reading import MOST_LINES, LogPart, Mode, NoSuchLog, Question
from opilio.works.record_filters import LONGEST, BadFilter

_USUAL = "logs/crawl.log"
_LONGEST_NAME = 1_000
_LONGEST_URL = 8_000
_LABELS = {
    Mode.HEAD: "The first lines", Mode.TAIL: "The last lines", Mode.LINE: "From line number",
    Mode.TIME: "From a time (UTC)", Mode.CONTAINING: "From the first line that holds",
    Mode.BEGINNING: "From the first line that begins with", Mode.REGEX: "Only lines that match (RE2)",
}  # fmt: skip


@section("review")
@require_safe
def log(request: PageRequest, result_id: int) -> HttpResponseBase:
    """Lines of one log; all of it with `format=file`."""
    row = results.result(request.actor, result_id)
    name = request.GET.get("file", "")[:_LONGEST_NAME] or _USUAL
    told: dict[str, Any] = {}
    try:
        if request.GET.get("format") == "file":
            kept, pieces = query.whole(row, name)
            return download(request, pieces, name=kept, kind="application/octet-stream")
        told["files"] = [(one, size(one.size), moment(one.changed)) for one in query.files(row)]
        question = _question(request)
        told |= _read(query.read(row, name, question), question, name)
    except (BadFilter, NothingHere, NoSuchLog) as error:
        told["fault"] = error
    url = request.GET.get("url", "").strip()[:_LONGEST_URL]
    if url and "fault" not in told:
        told |= _hops(request, row.pk, url)
    context = {
        "title": f"Logs: {row.harvest.abstract_target.name}", "path": f"/results/{row.pk}/log", "log_name": name,
        "modes": _LABELS.items(), "mode": request.GET.get("mode", "")[:40] or Mode.TAIL.value,
        "text": request.GET.get("text", "")[:LONGEST],
        "count": request.GET.get("lines", "200")[:6], "most": MOST_LINES, "url": url, **told,
    }  # fmt: skip
    return shown(request, row, "log", "web/results/log.html", context)


def _question(request: PageRequest) -> Question:
    mode = request.GET.get("mode", "") or Mode.TAIL
    if mode not in set(Mode):
        raise BadFilter(
            f"{mode[:40]!r} is no way to read a log", where="mode", remedy=f"Choose from {', '.join(Mode)}."
        )
    text = request.GET.get("text", "")[: LONGEST + 1]
    lines, after = number_of(request, "lines", 200), number_of(request, "after", 0)
    return Question(mode=Mode(mode), text=text, lines=lines, after=after)


def _read(part: LogPart, question: Question, name: str) -> dict[str, Any]:
    onward = ""
    if part.more and part.lines:
        last = part.lines[-1].number
        values: dict[str, Any] = {"file": name, "lines": question.lines}
        if question.mode is Mode.REGEX:
            values |= {"mode": Mode.REGEX.value, "text": question.text, "after": last}
        else:
            values |= {"mode": Mode.LINE.value, "text": last + 1}
        onward = urlencode(values)
    return {"lines": part.lines, "next": onward}


def _hops(request: PageRequest, result_id: int, url: str) -> dict[str, Any]:
    try:
        return {"hops": query.hops(results.result(request.actor, result_id), url)}
    except (InvalidInput, NothingHere) as error:
        told: OpilioError = error
        return {"hops_fault": told}
