"""Checks of the machine, for which no database is needed."""

import functools
import importlib.util
import resource
import shutil
import stat
import zoneinfo
from collections.abc import Iterator
from pathlib import Path

from opilio.extract import quick
from opilio.kernel.errors import PortInUse
from opilio.kernel.files import ensure_folder, free_space
from opilio.kernel.settings import Settings
from opilio.search.analysis import feeding
from opilio.server import ports
from opilio.server.checks.finding import Check, Finding, ok, problem, warning

_LITTLE, _TOO_LITTLE = 5_000_000_000, 500_000_000  # bytes
_FEW_FILES = 1_024
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
#: Programs that parts of Opilio use when they are there: name → (for what, Debian package).
PROGRAMS = {
    "chromium": ("screenshots of pages", "chromium"),
    "pg_dump": ("backups of PostgreSQL", "postgresql-client"),
    "pg_restore": ("restoring backups of PostgreSQL", "postgresql-client"),
}
#: Extras: module → (for what, extra, the setting that needs it).
EXTRAS = {
    "ldap3": ("sign-in by LDAP", "ldap", "ldap_url"),
    "joserfc": ("single sign-on", "oidc", "oidc_issuer"),
    "playwright": ("screenshots", "browser", "browser_program"),
}


def checks(settings: Settings) -> Iterator[tuple[str, Check]]:
    """All checks of the machine."""
    yield "home", functools.partial(home, settings)
    yield "disk", functools.partial(disk, settings)
    yield "secrets", functools.partial(secrets, settings)
    yield "time zones", functools.partial(time_zones, settings)
    yield "open files", open_files
    yield "reading of pages", reading
    yield "port", functools.partial(port, settings)
    for name in PROGRAMS:
        yield f"program {name}", functools.partial(program, name, settings)
    for module in EXTRAS:
        yield f"extra {EXTRAS[module][1]}", functools.partial(extra, module, settings)


def reading() -> Finding:
    """Whether pages are read and indexed quickly."""
    if quick.available() and feeding.available():
        return ok("reading of pages", "the C extensions are used")
    remedy = "Install a C compiler (on Debian: gcc, libc6-dev) and then Opilio again."
    what = "pages are read and indexed without the C extensions, which takes longer"
    return warning("reading of pages", what, remedy)


def home(settings: Settings) -> Finding:
    """Whether the home folder can be written to."""
    ensure_folder(settings.home)
    return ok("home", f"{settings.home} can be written to")


def disk(settings: Settings) -> Finding:
    """Whether the disk has room."""
    free = free_space(settings.home)
    words = f"{free / 1e9:,.1f} GB are free at {settings.home}"
    remedy = "Free some space, or set home to a folder on another disk."
    if free < _TOO_LITTLE:
        return problem("disk", words, remedy)
    return warning("disk", words, remedy) if free < _LITTLE else ok("disk", words)


def secrets(settings: Settings) -> Finding:
    """Whether only the owner can read the keys and, with SQLite, the catalogue."""
    folder = settings.secrets_folder
    open_to_all = [path for path in (folder, *sorted(folder.glob("*"))) if path.exists() and _open(path)]
    if open_to_all:
        modes = " && ".join(f"chmod {'700' if path.is_dir() else '600'} {path}" for path in open_to_all)
        return problem("secrets", f"Others can read {', '.join(map(str, open_to_all))}", f"Run `{modes}`.")
    return ok("secrets", f"only the owner can read {folder}" if folder.exists() else "none have been made yet")


def time_zones(settings: Settings) -> Finding:
    """Whether the zone of the settings, and zones at all, are known."""
    known = zoneinfo.available_timezones()
    if settings.time_zone not in known:
        remedy = "Install the package tzdata, or set time_zone to an IANA name such as Europe/Paris."
        return problem("time zones", f"the zone {settings.time_zone!r} is not among {len(known)} known ones", remedy)
    return ok("time zones", f"{len(known)} zones are known")


def open_files() -> Finding:
    """Whether the process may open enough files."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    words = f"a process may open {soft} files"
    if soft != resource.RLIM_INFINITY and soft < _FEW_FILES:
        return warning("open files", words, f"Raise it: `ulimit -n {_FEW_FILES}`, or LimitNOFILE= in the service.")
    return ok("open files", words)


def port(settings: Settings) -> Finding:
    """Whether `opilio serve` could listen; that it does so already is fine."""
    where = f"{settings.server_host}:{settings.server_port}"
    try:
        ports.free_port(settings.server_host, settings.server_port)
    except PortInUse as error:
        if ports.answers(settings.server_host, settings.server_port):
            return warning("port", f"a server answers at {where}", f"Fine if it is `opilio serve`. {error.remedy}")
        raise
    return ok("port", f"{where} is free")


def program(name: str, settings: Settings) -> Finding:
    """Whether an optional program is installed."""
    purpose, package = PROGRAMS[name]
    found = shutil.which(name)
    if found:
        return ok(f"program {name}", found)
    needed = name.startswith("pg_") and settings.database_url.startswith("postgres")
    words, remedy = f"not installed; needed for {purpose}", f"Run `apt install {package}`."
    return warning(f"program {name}", words, remedy) if needed else ok(f"program {name}", words)


def extra(module: str, settings: Settings) -> Finding:
    """Whether the library for an optional part is installed, where a setting asks for it."""
    purpose, name, setting = EXTRAS[module]
    if importlib.util.find_spec(module) is not None:
        return ok(f"extra {name}", f"{module} is installed, for {purpose}")
    if getattr(settings, setting):
        words = f"{setting} asks for {purpose}, and {module} is not installed"
        return problem(f"extra {name}", words, f"Run `pip install 'opilio[{name}]'`.")
    return ok(f"extra {name}", f"{module} is not installed; needed for {purpose} only")


def _open(path: Path) -> bool:
    return bool(path.stat().st_mode & _OTHERS)
