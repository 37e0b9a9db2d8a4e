"""Opens a depository from what was entered for it, within what operators allow."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from opilio.archive.store.addresses import open_store
from opilio.archive.store.s3_options import S3Options, s3_options
from opilio.crawl.fetch.guard import Guard
from opilio.kernel import urls
from opilio.kernel.addresses import why_private
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import BadUrl, InvalidInput
from opilio.kernel.settings import Settings
from opilio.works.depositories.command import CommandDepository, command_of
from opilio.works.depositories.directory import DirectoryDepository, require_below
from opilio.works.depositories.errors import BadPlace
from opilio.works.depositories.exchange import Exchange, Way
from opilio.works.depositories.http import HttpDepository
from opilio.works.depositories.ocfl import OcflDepository, Sealed
from opilio.works.depositories.s3 import StoreDepository
from opilio.works.depositories.values import Depository

OWN_STORE = "store:"  # the place of the depository that is the store of the settings
OCFL = "ocfl"


@dataclass(frozen=True, kw_only=True)
class Address:
    """A depository as it was entered."""

    kind: str  # directory, s3, http or command
    place: str
    form: str = "bag"
    username: str = ""
    secret: str = field(default="", repr=False)
    timeout: float = 600.0  # seconds


def open_depository(
    address: Address, settings: Settings, *, sealed: Sealed | None = None, clock: Clock = SYSTEM
) -> Depository:
    """The depository; `BadPlace` says what of it cannot be used. Nothing is asked of it yet."""
    opener = _OPENERS.get(address.kind)
    if opener is None:
        raise BadPlace(f"there are no depositories of the kind {address.kind[:40]!r}", remedy="Choose one of the list.")
    if address.form == OCFL:
        if address.kind not in ("directory", "s3"):
            remedy = "Choose a bag or WACZ, or a folder or bucket."
            raise BadPlace("an archive in OCFL lies in a folder or bucket", where=address.place[:200], remedy=remedy)
        return OcflDepository(store=open_store(_store_of(address, settings), _options(address, settings)),
                              sealed=sealed, clock=clock)  # fmt: skip
    return opener(address, settings)


def allowed_folders(settings: Settings) -> tuple[Path, ...]:
    """Where packages may be put: what operators name, else a folder of the home."""
    named = tuple(Path(each) for each in settings.deposit_folders)
    return named or ((settings.home / "depositories").absolute(),)


def _store_of(address: Address, settings: Settings) -> str:
    if address.place == OWN_STORE:
        return settings.archive_store
    if address.kind == "directory":
        require_below(Path(address.place), allowed_folders(settings))
    return address.place


def _directory(address: Address, settings: Settings) -> Depository:
    folder = Path(address.place)
    require_below(folder, allowed_folders(settings))
    return DirectoryDepository(folder=folder)


def _s3(address: Address, settings: Settings) -> Depository:
    if not address.place.startswith("s3://"):
        raise BadPlace("this names no bucket", where=address.place[:200], remedy="Write s3://bucket/prefix.")
    return StoreDepository(store=open_store(address.place, _options(address, settings)))


def _options(address: Address, settings: Settings) -> S3Options:
    given = s3_options(settings)
    if address.username and address.secret:
        return replace(given, access_key=address.username, secret_key=address.secret)
    ours = address.place == OWN_STORE or (settings.store and address.place.startswith(settings.store.rstrip("/")))
    if address.kind == "s3" and not ours:
        remedy = "Enter the name of a key and its secret; the installation's own key is for its own store."
        raise BadPlace("a bucket needs a key of its own", where=address.place.partition("@")[2][:200], remedy=remedy)
    return given


def _http(address: Address, settings: Settings) -> Depository:
    try:
        parts = urls.parse(address.place)
    except BadUrl as error:
        raise BadPlace(
            str(error), where=address.place[:200], remedy="Write https://archive.example/deposits."
        ) from error
    if not parts.fetchable or parts.username or parts.password or parts.fragment:
        remedy = "Write https://archive.example/deposits; user name and secret have fields of their own."
        raise BadPlace("this is no address to send to", where=parts.host, remedy=remedy)
    guard = Guard.allowing(settings.deposit_allow_private)
    if parts.href.startswith("http:") and address.secret and not _private(parts.host, guard):
        remedy = "Write https://: a secret is not sent for everybody to read."
        raise BadPlace("the address is not encrypted", where=address.place[:200], remedy=remedy)
    way = Way(
        guard=guard, timeout=address.timeout, username=address.username, secret=address.secret,
        ca_file=settings.deposit_ca_file,
    )  # fmt: skip
    return HttpDepository(place=parts.href, exchange=Exchange(way))


def _private(host: str, guard: Guard) -> bool:
    """Whether a host is a private address that operators allow: nobody outside reads what is sent there."""
    try:
        return why_private(host.strip("[]")) is not None and guard.refusal(host.strip("[]")) is None
    except InvalidInput:
        return False  # a name


def _command(address: Address, settings: Settings) -> Depository:
    return CommandDepository(
        arguments=command_of(address.place, settings.deposit_commands), timeout=address.timeout,
        username=address.username, secret=address.secret,
    )  # fmt: skip


_OPENERS: dict[str, Callable[[Address, Settings], Depository]] = {
    "directory": _directory, "s3": _s3, "http": _http, "command": _command,
}  # fmt: skip
