"""A delivery profile: what partners deliver, how it is named, and within which limits. Written in one TOML file."""

import tomllib
from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from opilio.deliveries.errors import BadDeliveryProfile
from opilio.deliveries.names import NameForm, Part, PartKind

_LARGEST = 1 << 20  # bytes of a profile
_SHIPPED = Path(__file__).parent / "profiles"
_MOST_TOLD = 5  # faults in one message

FieldPath = Annotated[str, Field(pattern=r"^[\w.#@-]+(/[\w.#@-]+)*$", max_length=255)]
Word = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,31}$")]
Bytes = Annotated[int, Field(gt=0, le=1 << 44, strict=True)]
Count = Annotated[int, Field(gt=0, le=10_000_000, strict=True)]


def _plain_folder(name: str) -> str:
    if "/" in name or "\\" in name or name in ("", ".", ".."):
        raise ValueError("a folder is a plain name")
    return name


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Action(_Strict):
    """What is to be done with a delivery: the folder that it lies in says so."""

    name: Word
    folder: Annotated[str, AfterValidator(_plain_folder), Field(max_length=64)]
    title: str = ""


class PartText(_Strict):
    """A part of a name, as it is written down."""

    kind: PartKind
    form: str = "%Y-%m-%d"
    least: Annotated[int, Field(ge=0, le=255)] = 1
    most: Annotated[int, Field(ge=1, le=255)] = 32
    words: tuple[str, ...] = ()

    def part(self) -> Part:
        """The same as names are judged by."""
        return Part(kind=self.kind, form=self.form, least=self.least, most=self.most, words=self.words)


class Names(_Strict):
    """How names are formed."""

    form: Annotated[str, Field(max_length=255, pattern=r"^[^/\\\x00-\x1f]+$")]
    parts: dict[str, PartText] = {}

    @property
    def ending(self) -> str:
        """What all names end with: the part from the last dot on."""
        fixed = self.form.rpartition("}")[2]
        return f".{fixed.rpartition('.')[2]}" if "." in fixed else fixed

    @cached_property
    def rule(self) -> NameForm:
        """What judges a name."""
        return NameForm(self.form, {name: text.part() for name, text in self.parts.items()})


class Level(StrEnum):
    """How much a finding weighs."""

    WARN = "warn"  # told, and loaded all the same
    ERROR = "error"  # the record is not loaded
    FATAL = "fatal"  # nothing of the document is loaded


class RuleKind(StrEnum):
    """What a rule asks of a value."""

    REQUIRED = "required"  # there is one
    TYPE = "type"  # it can be read as a number, a date …
    OPTION = "option"  # it is one of some, or in a reference set
    RANGE = "range"
    UNIQUE = "unique"  # no other record of the kind has it
    REFERENCE = "reference"  # a record of another kind has it as its key
    DATE = "date"  # not in the future, not before another field


class ValueType(StrEnum):
    """What a value can be read as."""

    INTEGER = "integer"
    NUMBER = "number"
    DATE = "date"
    BOOLEAN = "boolean"


class RecordKind(_Strict):
    """One kind of record in a document."""

    name: Word
    element: Annotated[str, Field(max_length=255)] = ""  # of XML, without its namespace
    key: Annotated[tuple[FieldPath, ...], Field(min_length=1, max_length=8)]
    inherited: dict[str, FieldPath] = {}  # fields taken from elements around it: centre = "centre/@centreID"


class Rule(_Strict):
    """What must hold for the records of a kind."""

    name: Word
    record: Word
    field: FieldPath
    kind: RuleKind
    level: Level = Level.ERROR
    type: ValueType | None = None
    options: tuple[str, ...] = ()
    set: Annotated[str, Field(max_length=64)] = ""  # a reference set
    least: float | None = None
    most: float | None = None
    to: str = ""  # kind of record that a reference leads to
    after: str = ""  # field that a date must not be before
    future: bool = False  # whether a date may lie ahead


class DocumentKind(_Strict):
    """One kind of document inside a delivery."""

    name: Word
    title: str = ""
    names: Names
    after: tuple[Word, ...] = ()  # kinds that are loaded before
    format: Literal["xml", "csv"] = "xml"
    records: Annotated[tuple[RecordKind, ...], Field(max_length=32)] = ()
    xsd: Annotated[str, Field(max_length=1_000)] = ""  # file of its schema, beside the profile; empty: none


class ArchiveLimits(_Strict):
    """What an archive may hold."""

    entries: Count = 10_000
    entry_bytes: Bytes = 2 << 30
    total_bytes: Bytes = 8 << 30
    ratio: Annotated[float, Field(gt=1, le=100_000)] = 200.0
    directory_bytes: Bytes = 16 << 20
    ascii_names: bool = True


class Settling(_Strict):
    """When a file at a source counts as written to its end."""

    looks: Annotated[int, Field(ge=1, le=10)] = 2  # equal ones, one per session or `quiet` apart
    quiet: Annotated[int, Field(ge=0, le=86_400)] = 60  # seconds between two looks that count
    age: Annotated[int, Field(ge=0, le=31 * 86_400)] = 0  # seconds; older files need one look; 0: never
    unfinished: tuple[str, ...] = (".part", ".partial", ".filepart", ".tmp", ".crdownload", ".uploading", "~")
    done: str = ""  # a file beside it that says so: "{name}.done"


class Command(_Strict):
    """A program that takes part: it is given a file and what it is about as JSON, and answers by its exit code."""

    argv: Annotated[tuple[str, ...], Field(min_length=1, max_length=64)]
    seconds: Annotated[float, Field(gt=0, le=86_400)] = 3_600.0


class Hooks(_Strict):
    """Steps after the load; those without a command are recorded as no step."""

    context: Command | None = None  # after each document
    overview: Command | None = None  # once, at the end
    quality: Command | None = None  # once, at the end


class Label(_Strict):
    """How a profile calls one of our phases."""

    number: Annotated[int, Field(ge=1, le=99)]
    name: Annotated[str, Field(min_length=1, max_length=64)]


class DeliveryProfile(_Strict):
    """All of it."""

    name: Word
    title: str = ""
    actions: Annotated[tuple[Action, ...], Field(min_length=1, max_length=32)]
    deliveries: Names
    documents: Annotated[tuple[DocumentKind, ...], Field(min_length=1, max_length=64)]
    centres: tuple[Annotated[str, Field(min_length=1, max_length=32)], ...] = ()
    largest: Bytes = 16 << 30  # bytes of a delivery
    archive: ArchiveLimits = ArchiveLimits()
    settling: Settling = Settling()
    checksums: tuple[str, ...] = ("{name}.sha256", "{name}.md5")
    rules: Annotated[tuple[Rule, ...], Field(max_length=1_000)] = ()
    sets: dict[str, Annotated[str, Field(max_length=1_000)]] = {}  # reference sets: files beside the profile
    sink: Command | None = None  # takes each document; none: the built-in store of records
    hooks: Hooks = Hooks()
    labels: dict[str, Label] = {}  # of our phases, by their names

    _folder: Path = PrivateAttr(default=Path())

    def schema_of(self, kind: DocumentKind) -> Path | None:
        """Where the schema of a kind lies."""
        return self._folder / kind.xsd if kind.xsd else None

    def set_values(self, name: str) -> frozenset[str]:
        """A reference set: a line for each value."""
        path = self._folder / self.sets[name]
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadDeliveryProfile(f"The reference set {name} cannot be read: {error}", where=str(path)) from error
        return frozenset(line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))

    def is_document(self, name: str) -> bool:
        """Whether a name has the ending of some kind of document; what has none is not looked at."""
        return name.lower().endswith(tuple(kind.names.ending.lower() for kind in self.documents))

    def kind_of(self, name: str, centres: frozenset[str]) -> tuple[DocumentKind | None, Sequence[str]]:
        """The kind of document that a name belongs to, or what is wrong with it for each kind."""
        faults: list[str] = []
        for kind in self.documents:
            judged = kind.names.rule.judge(name, centres)
            if judged.parsed is not None:
                return kind, ()
            faults += [f"As {kind.name}: {fault}" for fault in judged.faults]
        return None, faults


def read_profile(text: bytes, where: str, folder: Path = Path()) -> DeliveryProfile:
    """A profile from TOML; what is wrong is named with its place. `folder` holds its schemas."""
    if len(text) > _LARGEST:
        raise BadDeliveryProfile("The profile is larger than 1 MiB", where=where)
    try:
        found = DeliveryProfile.model_validate(tomllib.loads(text.decode("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadDeliveryProfile(f"The profile is no TOML: {error}", where=where) from error
    except ValidationError as error:
        raise BadDeliveryProfile(_told(error), where=where, remedy="Mend these places.") from error
    found._folder = folder
    _require_whole(found, where)
    return found


def profile(name: str) -> DeliveryProfile:
    """A profile that comes with Opilio, or one from a file that ends in .toml."""
    if name.endswith(".toml"):
        return _from_file(Path(name))
    if name not in shipped():
        remedy = f"There are {', '.join(shipped())}; or give the path of a TOML file."
        raise BadDeliveryProfile(f"There is no profile {name!r}", remedy=remedy)
    place = _SHIPPED / f"{name}.toml"
    return read_profile(place.read_bytes(), place.name, _SHIPPED)


def shipped() -> list[str]:
    """The names of the profiles that come with Opilio."""
    return sorted(one.stem for one in _SHIPPED.glob("*.toml"))


def _from_file(path: Path) -> DeliveryProfile:
    try:
        with path.open("rb") as stream:
            return read_profile(stream.read(_LARGEST + 1), str(path), path.parent)
    except OSError as error:
        raise BadDeliveryProfile(f"The profile cannot be read: {error.strerror}", where=str(path)) from error


def _require_whole(found: DeliveryProfile, where: str) -> None:
    """What no single field can say."""
    kinds = [kind.name for kind in found.documents]
    for given, what in ((kinds, "kind of document"), ([one.folder for one in found.actions], "folder")):
        twice = sorted({name for name in given if given.count(name) > 1})
        if twice:
            raise BadDeliveryProfile(f"The {what} {twice[0]!r} is given twice", where=where)
    unknown = sorted({name for kind in found.documents for name in kind.after} - set(kinds))
    if unknown:
        raise BadDeliveryProfile(f"No kind of document is called {unknown[0]!r}", where=where)
    order_of(found, where)
    _require_rules(found, where)
    for names in (found.deliveries, *(kind.names for kind in found.documents)):
        _require_form(names, where)


def _require_rules(found: DeliveryProfile, where: str) -> None:
    """Rules speak of records, sets and fields that there are."""
    kinds = {record.name for kind in found.documents for record in kind.records}
    for rule in found.rules:
        if rule.record not in kinds or (rule.kind is RuleKind.REFERENCE and rule.to not in kinds):
            raise BadDeliveryProfile(
                f"The rule {rule.name!r} is about a kind of record that no document has", where=where
            )
        if rule.kind is RuleKind.OPTION and not rule.options and rule.set not in found.sets:
            raise BadDeliveryProfile(
                f"The rule {rule.name!r} needs options, or a set that the profile has", where=where
            )
    for kind in found.documents:
        if kind.format == "csv" and len(kind.records) != 1:
            raise BadDeliveryProfile(f"Tables of {kind.name!r} have one kind of record", where=where)
        if kind.format == "xml" and any(not record.element for record in kind.records):
            raise BadDeliveryProfile(f"Records of {kind.name!r} need the name of their element", where=where)


def _require_form(names: Names, where: str) -> None:
    try:
        _ = names.rule
    except BadDeliveryProfile as error:
        raise BadDeliveryProfile(error.what, where=where, remedy=error.remedy) from error


def order_of(found: DeliveryProfile, where: str = "") -> list[str]:
    """The kinds of document in the order in which they are loaded."""
    order: list[str] = []
    waiting = list(found.documents)
    while waiting:
        ready = [kind for kind in waiting if set(kind.after) <= set(order)]
        if not ready:
            names = ", ".join(kind.name for kind in waiting)
            raise BadDeliveryProfile(f"The kinds of document wait for each other: {names}", where=where)
        order += [kind.name for kind in ready]
        waiting = [kind for kind in waiting if kind not in ready]
    return order


def _told(error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_input=False)
    told = [f"{'.'.join(str(one) for one in fault['loc']) or 'profile'}: {fault['msg']}" for fault in faults]
    more = f" and {len(told) - _MOST_TOLD} more" if len(told) > _MOST_TOLD else ""
    return "; ".join(told[:_MOST_TOLD]) + more
