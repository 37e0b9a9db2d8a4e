"""What the values of a plan must be, so that nothing is refused only once a crawl has begun. Each raises `BadPlan`."""

import math
import re
from collections.abc import Iterable

from opilio.crawl.errors import BadPlan
from opilio.crawl.fetch.guard import Guard
from opilio.kernel.errors import InvalidInput, OpilioError
from opilio.kernel.urls import canonical

#: Whole numbers end here, as in the databases that count with them.
MOST = (1 << 63) - 1
#: Seconds end here: some thirty years.
LONGEST = 1_000_000_000.0
_HOST = re.compile(r"[a-z0-9_.-]{1,253}|\[[0-9a-f:.]{2,45}\]")
_PORT = re.compile(r":[0-9]{1,5}$")
_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]+/(\*|[a-z0-9!#$&^_.+-]+)|\*/\*")
_SURT = re.compile(r"[^\s/]+\S*")


def whole(value: int | None, name: str, where: str, *, low: int = 0, high: int = MOST) -> None:
    """A whole number in this range; None passes."""
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        upper = f" to {high}" if high < MOST else " or more"
        raise bad(f"{name} is {_shown(value)}", f"Give {low}{upper}, a whole number.", where)


def seconds(value: float | None, name: str, where: str, *, above: bool = False, most: float = LONGEST) -> None:
    """A finite number, 0 or more (`above`: more than 0); None passes. Also for factors."""
    if value is None:
        return
    good = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not good or not 0 <= value <= most or (above and value == 0):
        least = "a number above 0" if above else "0 or more"
        raise bad(f"{name} is {_shown(value)}", f"Give {least}, at most {most:.0f}.", where)


def url(text: str, where: str) -> None:
    """Something that can be fetched."""
    try:
        canonical(text)
    except OpilioError as error:
        place = f"{where}: {error.where}" if error.where else where
        raise BadPlan(error.what, where=place, remedy=error.remedy) from None


def networks(ranges: Iterable[str], where: str) -> None:
    """Ranges of addresses, or `all`."""
    try:
        Guard.allowing(ranges)
    except InvalidInput as error:
        raise bad(error.what, error.remedy, f"{where}: {error.where}") from None


def hosts(names: Iterable[str], where: str, *, ports: bool = False) -> None:
    """Hosts as URLs spell them; with `ports`, one may follow."""
    for name in names:
        if not _HOST.fullmatch(_PORT.sub("", name) if ports else name):
            more = "" if ports else ", without a port"
            raise bad(f"{name[:80]!r} is no host", f"Name the host in lower case{more}.", where)


def types(names: Iterable[str], where: str) -> None:
    """MIME types."""
    for name in names:
        if not _TYPE.fullmatch(name):
            raise bad(f"{name[:80]!r} is no type", "Write `text/html`, or `image/*`, in lower case.", where)


def surts(prefixes: Iterable[str], where: str) -> None:
    """Prefixes of SURT keys; an empty one would admit the whole web."""
    for prefix in prefixes:
        if not _SURT.fullmatch(prefix) or "://" in prefix:
            raise bad(f"{prefix[:80]!r} is no SURT prefix", "Write it as `org,example)/news`.", where)


def one_line(texts: Iterable[str], what: str, where: str) -> None:
    """Texts that go into a header or a URL: without line breaks and other signs that cannot be seen."""
    for text in texts:
        if any(ord(sign) < 32 or 0x7F <= ord(sign) < 0xA0 or 0xD800 <= ord(sign) < 0xE000 for sign in text):
            raise bad(f"{what} holds a line break or a control character", "Write it on one line.", where)


def bad(what: str, remedy: str, where: str) -> BadPlan:
    """The refusal of a value."""
    return BadPlan(what, where=where, remedy=remedy)


def _shown(value: object) -> str:
    return str(value)[:40]
