"""What is measured of every result, with the limits that hold until an agency sets its own. Pure.

The words of a limit: a measure within the tolerance of the reference harvest is as expected, whatever the other limits
say, because people accepted that harvest; without a reference only `lower` and `upper` judge.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from opilio.curation.models import Advice

_MEBIBYTE = 1_048_576.0


class Unit(StrEnum):
    """What a measure counts."""

    NUMBER = "number"
    BYTES = "bytes"
    SECONDS = "seconds"
    PERCENT = "percent"


class Side(StrEnum):
    """In which direction a measure can be worse than the reference."""

    BOTH = "both"
    MORE = "more"
    LESS = "less"


@dataclass(frozen=True, kw_only=True)
class Limit:
    """What an agency tolerates; None: there is no such limit."""

    tolerance: float | None = None  # percent of the reference
    lower: float | None = None
    upper: float | None = None
    active: bool = True


@dataclass(frozen=True, kw_only=True)
class Declared:
    """One indicator."""

    code: str
    label: str
    sentence: str
    unit: Unit = Unit.NUMBER
    limit: Limit = Limit()
    side: Side = Side.BOTH  # in which direction the reference is left
    under: Advice = Advice.REJECT  # what is advised below the lower limit
    over: Advice = Advice.LOOK  # above the upper one
    outside: Advice = Advice.LOOK  # outside the tolerance
    weight: int = 1  # among reasons of the same advice, the heavier comes first


def _of(code: str, label: str, sentence: str, **fields: object) -> Declared:
    return Declared(code=code, label=label, sentence=sentence, **fields)  # type: ignore[arg-type]  # as declared


INDICATORS: tuple[Declared, ...] = (
    _of("content", "Content downloaded", "Bytes of all answers that were kept.", unit=Unit.BYTES,
        limit=Limit(tolerance=10, lower=_MEBIBYTE), weight=8),
    _of("urls", "URLs downloaded", "Answers that were kept.", limit=Limit(tolerance=10, lower=1), weight=9),
    _of("runtime", "Time of the crawl", "How long the crawl took.", unit=Unit.SECONDS,
        limit=Limit(lower=60, upper=7 * 3_600), over=Advice.REJECT, weight=3),
    _of("errors", "Errors", "URLs that answered with an error, or not at all.", side=Side.MORE,
        limit=Limit(tolerance=10, upper=1), weight=6),
    _of("long-urls", "Long URLs", "URLs of more than 125 characters.", side=Side.MORE, limit=Limit(tolerance=10)),
    _of("matching", "Matching URLs", "Share of the reference harvest's URLs that are here too.", unit=Unit.PERCENT,
        limit=Limit(), side=Side.LESS, weight=2),
    _of("missing", "Missing URLs", "Share of the reference harvest's URLs that are not here.", unit=Unit.PERCENT,
        limit=Limit(upper=5), side=Side.MORE, weight=7),
    _of("new", "New URLs", "URLs that the reference harvest did not have, as a share of its own.", unit=Unit.PERCENT,
        limit=Limit(upper=10), side=Side.MORE, weight=2),
    _of("off-scope", "Off scope", "Links that the scope rejected.", side=Side.BOTH, limit=Limit(tolerance=5)),
    _of("robots", "Denied by robots.txt", "URLs that robots.txt forbade.", side=Side.MORE, limit=Limit(tolerance=10),
        weight=4),
    _of("unknown-types", "Unknown types", "Answers whose type neither header, content nor name told.", side=Side.MORE,
        limit=Limit(tolerance=10)),
    _of("sub-domains", "Hosts", "Hosts from which something was kept.", limit=Limit(tolerance=15), weight=2),
    _of("repeating", "Repeating patterns", "URLs whose path repeats itself.", side=Side.MORE,
        limit=Limit(tolerance=10, upper=100), weight=3),
    _of("unchanged", "Unchanged", "Harvests in a row that found nothing changed.", over=Advice.DELIST, weight=5),
    _of("completeness", "Completeness", "Share of embedded files that are here.", unit=Unit.PERCENT, side=Side.LESS,
        limit=Limit(lower=95), under=Advice.PATCH, weight=9),
    _of("blocked", "Blocked pages", "Walls that answered instead of pages: challenges, bans.", side=Side.MORE,
        limit=Limit(upper=0), weight=9),
    _of("sign-in", "Pages behind a sign-in", "Pages that asked who one is, or logins that were lost.", side=Side.MORE,
        limit=Limit(upper=0), weight=8),
    _of("soft-404", "Pages that are none", "Share of pages that say that they do not exist.", unit=Unit.PERCENT,
        side=Side.MORE, limit=Limit(upper=5), weight=5),
    _of("near-duplicates", "Pages that say the same", "Share of pages whose text many others have too.",
        unit=Unit.PERCENT, side=Side.MORE, limit=Limit(upper=50), weight=4),
    _of("site", "State of the site", "Seeds that moved, are dead, parked or closed.", side=Side.MORE,
        limit=Limit(upper=0), over=Advice.REJECT, weight=10),
    _of("replay", "Replay of important pages", "Requests of important pages that replay cannot answer.",
        side=Side.MORE, limit=Limit(upper=0), over=Advice.PATCH, weight=8),
    _of("pictures", "Looks of important pages", "Largest share of a page that looks different from the reference.",
        unit=Unit.PERCENT, side=Side.MORE, limit=Limit(upper=60), weight=4),
    _of("live-text", "Text beside the live site", "How alike, at least, important pages are to the live ones.",
        unit=Unit.PERCENT, side=Side.LESS, limit=Limit(lower=60), under=Advice.LOOK, weight=3),
    _of("live-pictures", "Looks beside the live site", "Largest share of a page that looks unlike the live one.",
        unit=Unit.PERCENT, side=Side.MORE, limit=Limit(upper=60), weight=3),
)  # fmt: skip
BY_CODE: Mapping[str, Declared] = {one.code: one for one in INDICATORS}


def limits_of(own: Mapping[str, Limit], *, delist_after: int) -> dict[str, Limit]:
    """The limits in force: an agency's own, else those declared here."""
    found = {one.code: own.get(one.code, one.limit) for one in INDICATORS}
    if "unchanged" not in own:
        found["unchanged"] = Limit(upper=delist_after - 1) if delist_after else Limit(active=False)
    return found


def shown(value: float | None, unit: Unit) -> str:
    """A measure as people read it."""
    if value is None:
        return "–"
    if unit is Unit.PERCENT:
        return f"{value:.1f} %"
    if unit is Unit.SECONDS:
        return _time(value)
    if unit is Unit.BYTES:
        return _bytes(value)
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    parts = ((hours, "h"), (minutes, "min"), (0 if hours else rest, "s"))
    return " ".join(f"{number} {unit}" for number, unit in parts if number) or "0 s"


def _bytes(value: float) -> str:
    size, unit = float(value), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if size < 1_000:
            break
        size, unit = size / 1_000, larger
    return f"{size:,.0f} B" if unit == "B" else f"{size:,.1f} {unit}"
