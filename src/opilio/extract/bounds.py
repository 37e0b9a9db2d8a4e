"""The linear look at HTML before it is parsed: is it nested too deeply, a tag too full, or formatting left open over
too many blocks, for a parser that is quadratic in all three?

Most pages pass by counting alone, most of the large ones once closed elements are taken out (`tags`). The others are
read by a small tokenizer that keeps the stack of open elements and errs towards "too deep": an end tag counts only
where the HTML standard surely closes the element.
"""

import re
from importlib import import_module
from typing import TYPE_CHECKING, Final

import re2

from opilio.extract.options import Options

if TYPE_CHECKING:
    from opilio.extract.tags import Tags

_LONG = 1_000  # bytes
_LONG_TAG = re.compile(rb"</?[A-Za-z][^>]{1000}")
#: A value that holds "<" or ">"; RE2 because it reads a page in a tenth of the time that `re` takes.
_HIDDEN_END = re2.compile(rb"=[\t\n\f\r ]*(?:\"[^\"<>]*[<>]|'[^'<>]*[<>])")
_INSIDE = rb"(?:[^<>\"'=]++|=[\t\n\f\r ]*+(?:\"[^\"<>]*+\"|'[^'<>]*+')?+)*+"  # attributes without anything odd
_SCRIPT = rb"<[sS][cC][rR][iI][pP][tT](?=[\t\n\f\r />])"
#: Pages in which every tag ends at its first ">", so that attributes can be counted without reading tag by tag.
_PLAIN = re.compile(
    rb"(?:[^<]++|<!--(?!-?>)(?:[^-]++|-(?!-!?>))*+--!?>|"
    + _SCRIPT
    + _INSIDE
    + rb">(?:[^<]++|<(?!/[sS][cC]))*+|</?[A-Za-z]"
    + _INSIDE
    + rb">|<(?![A-Za-z/]))*+"
)
#: The same wherever a parser may see a tag, be it in a script or a comment.
_PLAIN_ANYWHERE = re.compile(rb"(?:[^<]++|</?[A-Za-z]" + _INSIDE + rb">|<(?![A-Za-z/]))*+")
_PEELINGS = 12
_INLINE_PEELINGS = 3
_TOKEN = re.compile(
    rb"<!--(?:-?>|.*?(?:--!?>|\Z))"
    rb"|<[!?][^>]*+>?"
    rb"|<(/?)([A-Za-z][^\t\n\f\r />]*+)((?:[^>\"'=]++|=[\t\n\f\r ]*+(?:\"[^\"]*+\"?|'[^']*+'?)?|[\"'])*+)>?",
    re.DOTALL,
)
#: Formatting: the parser opens it again in every block until its end tag comes.
_FORMATTING = re.compile(
    rb"<(?=[bcefistuBCEFISTU])(?:[bB](?:[iI][gG])?|[cC][oO][dD][eE]|[eE][mM]|[fF][oO][nN][tT]|[iI]|[tT]{2}|[uU]"
    rb"|[sS](?:[mM][aA][lL]{2}|[tT][rR][iI][kK][eE]|[tT][rR][oO][nN][gG])?)(?=[\t\n\f\r />])[^>]*+"
)
_ALIKE = 3  # equal ones that the parser keeps in mind
_FEW = 1_500  # start tags with which no page can do harm by formatting
_MOST_REOPENED = 1_000_000  # elements that a parser may have to open again
_ATTRIBUTE = re.compile(rb"[\t\n\f\r /]++[^\t\n\f\r />]")
_VALUES = re.compile(rb"=[\t\n\f\r ]*+(?:\"[^\"]*+\"?|'[^']*+'?)")
_VALUE_SHADOW = b"= "
_WHOLE_VALUES = re.compile(rb"=[\t\n\f\r ]*+(?:\"[^\"]*+\"|'[^']*+')")
_QUOTE = re.compile(rb"[\"']")
_FOREIGN = re.compile(rb"<(?:svg|math|select|frameset|template)[\t\n\f\r />]", re.IGNORECASE)
_HIDDEN = "the page hides markup in a way that cannot be checked quickly"

_VOID: Final = frozenset(
    b"area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)
#: Never counted: they cannot nest by themselves, or not twice.
_FLAT: Final = frozenset(b"html head body p".split())
_RAW: Final = frozenset(b"script style textarea title xmp iframe noembed noframes plaintext".split())
#: An end tag removes such an element alone and leaves what was opened inside; other end tags leave it open.
_LOOSE: Final = frozenset(b"a b big code em font form i nobr s small strike strong tt u".split())
#: No end tag reaches through these.
_BARRIERS: Final = frozenset(
    b"applet button caption desc foreignobject marquee math mi mn mo ms mtext annotation-xml object ol select svg "
    b"table td template th title ul".split()
)
_SPECIAL: Final = _BARRIERS | frozenset(
    b"address article aside blockquote center colgroup dd details dir div dl dt fieldset figcaption figure footer form "
    b"frameset h1 h2 h3 h4 h5 h6 header hgroup li listing main menu nav noscript p pre search section summary tbody "
    b"tfoot thead tr".split()
)
#: The end tag of such an element reaches it through everything but a barrier; others stop at any special element.
_THROUGH: Final = _LOOSE | frozenset(
    b"address applet article aside blockquote button center dd details dialog dir div dl dt fieldset figcaption figure "
    b"footer h1 h2 h3 h4 h5 h6 header hgroup li listing main marquee menu nav object ol pre search section summary "
    b"ul".split()
)
_DRAWINGS: Final = frozenset(b"svg math".split())
#: Elements of HTML that end a drawing; the special ones do so too.
_BREAK_OUT: Final = _LOOSE | frozenset(
    b"body br embed head hr html img meta p ruby span strong sub sup var font".split()
)
_NEVER_THROUGH: Final = frozenset(b"option optgroup".split())
#: End tags of a table's parts reach through all but these.
_TABLE_PARTS: Final = frozenset(b"caption colgroup table tbody td tfoot th thead tr".split())
_CELLS: Final = _TABLE_PARTS - {b"table"}  # mean nothing outside a table
_TABLE_BARRIERS: Final = frozenset(b"select table template".split())
#: A start tag closes these when one of them is the innermost open element.
_IMPLIED: Final[dict[bytes, frozenset[bytes]]] = {
    b"li": frozenset({b"li"}),
    b"dt": frozenset({b"dt", b"dd"}),
    b"dd": frozenset({b"dt", b"dd"}),
    b"td": frozenset({b"td", b"th"}),
    b"th": frozenset({b"td", b"th"}),
    b"tr": frozenset({b"td", b"th", b"tr"}),
    b"option": frozenset({b"option"}),
}


def too_hostile(body: bytes, options: Options) -> str | None:
    """Why UTF-8 HTML must not be parsed in this process; None when it may be."""
    if len(body) > options.max_html_bytes:
        return f"the page is larger than {options.max_html_bytes} bytes"
    starts = body.count(b"<")
    if starts > options.max_tag_depth or starts > _FEW:
        starts -= body.count(b"</")
    many = starts > options.max_tag_depth or starts > _FEW
    hidden = _HIDDEN_END.search(body) is not None
    if hidden and not (_PLAIN_ANYWHERE if many else _PLAIN).fullmatch(body):
        return _Reading(body, options).verdict()
    if many and _may_harm(body, starts, options):
        return _Reading(body, options).verdict()
    return _full_tag(body, options)


def _may_harm(body: bytes, starts: int, options: Options) -> bool:
    """Whether a page of many tags, each of which ends at its first ">", may be too deep, or formatting too far open.

    Elements without elements inside are taken out, again and again; what is left over is the most that can be open,
    but for the rows and bodies that a parser adds to tables.
    """
    tags = _tags(body)
    if starts > _FEW:
        peelings = _INLINE_PEELINGS
        while (harmful := 2 * starts * tags.formatting() > _MOST_REOPENED) and peelings and tags.peel(inline=True):
            peelings -= 1
        if harmful and _may_reopen(body, starts):
            return True
    peelings = _PEELINGS
    while tags.starts > options.max_tag_depth:
        if not (peelings and tags.peel()):
            return True
        peelings -= 1
    return False


def _tags(body: bytes) -> "Tags":
    """Loaded by name: most pages need no arrays, and loading them takes a moment."""
    found: Tags = import_module("opilio.extract.tags").Tags(body)
    return found


def _may_reopen(body: bytes, starts: int) -> bool:
    """Whether formatting may be opened again too often: at each tag as much as was left open before."""
    found = _FORMATTING.findall(body)
    kinds = set(found)
    most = len(found) if any(map(_breaks_off, kinds)) else min(len(found), _ALIKE * len(kinds))
    return 2 * starts * most > _MOST_REOPENED


def _breaks_off(tag: bytes) -> bool:
    """Whether a tag up to its first ">" may end inside a quoted value, so that tags which differ look alike."""
    return (b'"' in tag or b"'" in tag) and _QUOTE.search(_WHOLE_VALUES.sub(b"", tag)) is not None


def _full_tag(body: bytes, options: Options) -> str | None:
    """The check of attributes for pages in which every tag ends at its first ">"."""
    if not _has_long_piece(body):
        return None
    for start in _LONG_TAG.finditer(body):
        end = body.find(b">", start.end())
        if _attributes(body[start.start() : end if end != -1 else len(body)]) > options.max_tag_attributes:
            return _too_full(options)
    return None


def _has_long_piece(body: bytes) -> bool:
    """Whether so many bytes without ">" stand together that a tag of them could be too full."""
    position, last = 0, len(body) - _LONG
    while position <= last:
        position = body.rfind(b">", position, position + _LONG) + 1
        if not position:
            return True
    return False


def _too_full(options: Options) -> str:
    return f"a tag has more than {options.max_tag_attributes} attributes"


class _Reading:
    """The exact look, for pages that counting cannot clear."""

    def __init__(self, body: bytes, options: Options) -> None:
        self._body = body
        self._options = options
        self._open = _OpenElements(limit=options.max_tag_depth)
        self._foreign = _FOREIGN.search(body) is not None

    def verdict(self) -> str | None:
        if self._foreign and b"<![CDATA[" in self._body:
            return _HIDDEN
        position = 0
        while (token := _TOKEN.search(self._body, position)) is not None:
            position = max(token.end(), position + 1)
            closing, name, inside = token.groups()
            if name is None:
                continue
            if len(inside) > 2 * self._options.max_tag_attributes and self._too_many(inside):
                return _too_full(self._options)
            reason, position = self._tag(closing, name.lower(), position, empty=inside.endswith(b"/"))
            if reason:
                return reason
        return self._too_deep()

    def _too_many(self, inside: bytes) -> bool:
        return _attributes(inside) > self._options.max_tag_attributes

    def _tag(self, closing: bytes, name: bytes, position: int, *, empty: bool) -> tuple[str | None, int]:
        """Take one tag into account: a reason to stop, and where to go on."""
        if closing:
            self._open.close(name)
            return None, position
        if name in _RAW:
            return self._raw(name, position)
        self._open.open(name, empty=empty)
        return self._too_deep(), position

    def _too_deep(self) -> str | None:
        if self._open.reopened > _MOST_REOPENED:
            return "the page leaves formatting open over too many blocks"
        if not self._open.exceeded:
            return None
        return f"the page is nested more than {self._options.max_tag_depth} elements deep"

    def _raw(self, name: bytes, position: int) -> tuple[str | None, int]:
        """Jump over content that is no markup; where elements around may make it markup after all, it is counted."""
        end = _raw_end(self._body, name, position)
        content = self._body[position:end]
        if name == b"script" and b"<!--" in content and b"<script" in content.lower():
            return _HIDDEN, end
        if self._foreign:
            self._open.assume(content.count(b"<") - content.count(b"</"))
        return self._too_deep(), end


def _attributes(inside: bytes) -> int:
    """How many attributes a tag has; quoted values are taken out first."""
    return sum(1 for _ in _ATTRIBUTE.finditer(_VALUES.sub(_VALUE_SHADOW, inside)))


def _raw_end(body: bytes, name: bytes, position: int) -> int:
    """Where an element whose content is no markup ends."""
    if name == b"plaintext":
        return len(body)
    end = re.compile(rb"</" + name + rb"[\t\n\f\r />]", re.IGNORECASE).search(body, position)
    return end.end() if end else len(body)


class _OpenElements:
    """The elements that are surely or possibly still open."""

    def __init__(self, *, limit: int) -> None:
        self._stack: list[bytes] = []
        self._count: dict[bytes, int] = {}
        self._limit = limit
        self._steps = 0  # looks at entries of the stack; far more than tags means that somebody plays with us
        self._tags = 0
        self._assumed = 0
        self._formatting = 0  # how much of it is open
        self.reopened = 0  # elements that a parser may have opened again so far
        self._drawing = False  # whether we are surely inside svg or math, and not in HTML inside them

    @property
    def exceeded(self) -> bool:
        """Whether the page may be deeper than allowed, or costs too much to check."""
        return len(self._stack) + self._assumed > self._limit or self._steps > 50 * self._tags + 100_000

    def assume(self, elements: int) -> None:
        """Count elements whose end cannot be told."""
        self._assumed += elements

    def open(self, name: bytes, *, empty: bool) -> None:
        """A start tag; `empty` when it ends with a slash, which means something in drawings and formulas only."""
        self._tags += 1
        self.reopened += self._formatting
        if name in _DRAWINGS:
            self._drawing = not empty
        elif name in _SPECIAL or name in _BREAK_OUT:
            self._drawing = False
        if empty and (self._drawing or name in _DRAWINGS):
            return
        if name in _VOID or name in _FLAT or (name in _CELLS and not self._count.get(b"table")):
            return
        closes = _IMPLIED.get(name, ())
        while self._stack and self._stack[-1] in closes:
            self._forget(len(self._stack) - 1)
        self._stack.append(name)
        self._count[name] = self._count.get(name, 0) + 1
        if name in _LOOSE:
            self._formatting += 1

    def close(self, name: bytes) -> None:
        """An end tag."""
        self._tags += 1
        self.reopened += self._formatting
        if self._stack and self._stack[-1] == name:
            self._forget(len(self._stack) - 1)
            return
        if not self._count.get(name) or name in _NEVER_THROUGH or (name in _DRAWINGS and not self._drawing):
            return
        index = self._reach(name)
        if index is None:
            return
        if name not in _LOOSE:
            for above in range(len(self._stack) - 1, index, -1):
                self._steps += 1
                if self._stack[above] not in _LOOSE:
                    self._forget(above)
        self._forget(index)

    def _reach(self, name: bytes) -> int | None:
        """The place of the element that an end tag closes; None when something bars the way."""
        bars = _bars(name)
        for index in range(len(self._stack) - 1, -1, -1):
            self._steps += 1
            if self._stack[index] == name:
                return index
            if self._stack[index] in bars:
                return None
        return None

    def _forget(self, index: int) -> None:
        name = self._stack.pop(index)
        self._count[name] -= 1
        if name in _LOOSE:
            self._formatting -= 1


def _bars(name: bytes) -> frozenset[bytes]:
    """Through which elements an end tag does not reach."""
    if name in _TABLE_PARTS:
        return _TABLE_BARRIERS
    return _BARRIERS if name in _THROUGH else _SPECIAL
