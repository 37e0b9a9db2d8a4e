"""The parts of the live page, drawn once for all who watch: the page shows them first, the stream replaces them.

They hold nothing that depends on who looks.
"""

from typing import Any
from urllib.parse import urlencode

from django.template.loader import render_to_string

from opilio.crawl.outcomes import Outcome
from opilio.curation.harvest_words import lasting
from opilio.curation.queries.harvest_live import Live
from opilio.web.find_words import size
from opilio.web.live.curve import Curve, curve
from opilio.works.live_plot import unpacked

#: The parts, and what draws them.
_TEMPLATES = {
    "now": "web/harvests/live/_now.html", "curves": "web/harvests/live/_curves.html",
    "hosts": "web/harvests/live/_hosts.html", "recent": "web/harvests/live/_recent.html",
    "counts": "web/harvests/live/_counts.html", "log": "web/harvests/live/_log.html",
    "pictures": "web/harvests/live/_pictures.html",
}  # fmt: skip
_LIMITS = {"pages": "pages", "bytes": "bytes", "seconds": "time"}
_BAD = frozenset(one.value for one in Outcome if one.broken)
_FINE = frozenset({"fetched", "unchanged", "duplicate", "redirected"})


def parts_of(live: Live) -> dict[str, str]:
    """The markup of each part by its name."""
    told = live.document
    context = {
        "told": told, "base": f"/harvests/{live.harvest}", "facts": _facts(told), "known": _known(told),
        "curves": _curves(told), "hosts": [_host(one) for one in told["hosts"] if isinstance(one, dict)],
        "recent": [_url(one, told, live.harvest) for one in told["recent"] if isinstance(one, dict)],
        "counts": [
            ("Outcomes", told["outcomes"].items()), ("Statuses", told["statuses"].items()),
            ("Types", told["types"].items()),
        ],
        "pictures": [_picture(one) for one in told["pictures"] if isinstance(one, dict)],
    }  # fmt: skip
    return {name: render_to_string(template, context) for name, template in _TEMPLATES.items()}


def spoken(live: Live) -> str:
    """How it goes, in a sentence for a screen reader."""
    told = live.document
    figures = told["figures"] or {}
    pace = f"{told['rates'].get('urls', 0):.1f} URLs a second"
    return (
        f"{str(told['state_label']).capitalize()}: {figures.get('urls_down', 0):,} URLs collected, "
        f"{figures.get('urls_failed', 0):,} failed, {figures.get('urls_waiting', 0):,} waiting, {pace}."
    )


def _facts(told: dict[str, Any]) -> list[tuple[str, str]]:
    figures = told["figures"]
    if figures is None:
        return []
    counts, rates = told["counts"], told["rates"]
    facts = [
        ("URLs collected", f"{figures['urls_down']:,}"),
        ("URLs failed", f"{figures['urls_failed']:,}"),
        ("URLs waiting", f"{figures['urls_waiting']:,}"),
        ("Data", size(figures["data_amount"])),
        *([] if told["over"] else [("Now", f"{_pace(rates.get('urls', 0))}, {_speed(rates.get('bytes', 0))}")]),
        ("On average", f"{_pace(figures['average_urls'])}, {_speed(figures['average_kb'] * 1000)}"),
        ("Elapsed", lasting(figures["elapsed"])),
        ("Hosts", f"{counts.get('hosts', 0):,}"),
    ]
    ahead = [one for one in told["etas"] if isinstance(one, dict) and one.get("limit") in _LIMITS]
    if ahead:
        facts.append(("Next limit", f"of {_LIMITS[ahead[0]['limit']]}, in {lasting(ahead[0].get('seconds', 0))}"))
    return facts


def _known(told: dict[str, Any]) -> tuple[int, int] | None:
    """How many of the URLs that are known were dealt with; None before there are any."""
    figures = told["figures"]
    done = figures["urls_down"] + figures["urls_failed"] if figures else 0
    return (done, done + figures["urls_waiting"]) if figures and done else None


def _curves(told: dict[str, Any]) -> list[Curve]:
    points = unpacked(told["points"])
    if not points:
        return []
    rates = told["rates"]
    return [
        curve("urls", "URLs per second", points, lambda one: one.urls, float(rates.get("urls", 0)), _pace),
        curve("bytes", "Bytes per second", points, lambda one: one.bytes, float(rates.get("bytes", 0)), _speed),
    ]


def _host(one: dict[str, Any]) -> dict[str, Any]:
    resting = float(one.get("resting") or 0)
    return {
        **one, "next": "now" if float(one.get("due") or 0) <= 0 else f"in {_seconds(one['due'])}",
        "back_off": _seconds(resting) if resting > 0 else "", "pause": _seconds(one.get("delay") or 0),
    }  # fmt: skip


def _url(one: dict[str, Any], told: dict[str, Any], harvest: int) -> dict[str, Any]:
    outcome, at = str(one.get("outcome", "")), float(one.get("at") or 0)
    age = float(told["at"]) - at if at and told.get("at") else None
    story = f"/harvests/{harvest}/story?{urlencode({'url': one.get('url', '')})}" if one.get("whole") else ""
    return {
        **one, "story": story, "size": size(int(one.get("bytes") or 0)), "ago": _seconds(max(0.0, age)) if age else "",
        "tone": "good" if outcome in _FINE else "bad" if outcome in _BAD else "quiet",
        "asked": outcome.replace("-", " "),
    }  # fmt: skip


def _picture(one: dict[str, Any]) -> dict[str, Any]:
    return {**one, "query": urlencode({"url": one.get("url", "")})}


def _pace(number: float) -> str:
    return f"{number:,.1f} URLs/s"


def _speed(number: float) -> str:
    return f"{size(round(number))}/s"


def _seconds(number: float) -> str:
    return f"{number:.1f} s" if number < 10 else lasting(round(number))
