"""Takes, verifies and restores backups."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from opilio import __version__
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.files import SECRET, SECRET_FOLDER, ensure_folder, require_space, write_atomically
from opilio.kernel.settings import Settings
from opilio.server import migrations_state, occupancy, place
from opilio.server.backups import archive, containers, manifest
from opilio.server.backups.engine import Advance, Engine
from opilio.server.backups.manifest import Manifest
from opilio.server.backups.postgres import PostgresEngine
from opilio.server.backups.rows import differences
from opilio.server.backups.sqlite import SqliteEngine
from opilio.server.errors import DamagedBackup, NotEmpty, OtherEngine

Step = Callable[[str], Advance]  # begins a step of that name
_SECRETS = "secrets"


@dataclass(frozen=True, kw_only=True)
class Restored:
    """What a restore did, and what it could not do."""

    manifest: Manifest
    missing: tuple[str, ...]  # files of the archive that are not in this home


def engine() -> Engine:
    """The database that Django was set up with."""
    return engine_of(connections[DEFAULT_DB_ALIAS])


def engine_of(database: BaseDatabaseWrapper) -> Engine:
    """A database that Django knows, as backups see it."""
    if database.vendor == "sqlite":
        return SqliteEngine(Path(str(database.settings_dict["NAME"])))
    return PostgresEngine(database.settings_dict)


def default_target(settings: Settings, clock: Clock = SYSTEM) -> Path:
    """Where a backup goes that nobody named a place for."""
    return settings.home / "backups" / f"opilio-{clock.now():%Y%m%dT%H%M%SZ}.tar"


def take(
    settings: Settings, target: Path, *, with_secrets: bool, digests: bool, step: Step, clock: Clock = SYSTEM
) -> Manifest:
    """Write a backup to `target` while others go on writing."""
    database, migrations = engine(), migrations_state.state().applied
    require_space(target.parent, int(database.size() * (2.2 if target.suffix == containers.TAR else 1.1)))
    with containers.made(target) as folder:
        dump = folder / database.dump_name
        tables = database.dump(dump, step("Dumping the database"))
        secrets = _copied_secrets(settings, folder) if with_secrets else ()
        files = archive.listed(settings.home, digests=digests, advance=step("Listing the archive"))
        taken = Manifest(
            opilio=__version__, made=clock.now().isoformat(), engine=database.name, engine_version=database.version(),
            migrations=migrations, tables=tables, dump=archive.file_entry(dump, folder), secrets=secrets, archive=files,
        )  # fmt: skip
        write_atomically(folder / manifest.NAME, manifest.to_json(taken))
        _settle(dump)
    return taken


def verified(folder: Path, database: Engine) -> Manifest:
    """The manifest of a backup whose files hold what it says."""
    found = manifest.read(folder)
    if found.engine != database.name:
        raise OtherEngine(
            f"The backup is of {found.engine} and this installation uses {database.name}",
            where=str(folder),
            remedy="Set database_url to a database of that kind.",
        )
    faults = list(archive.faults(folder, (found.dump, *found.secrets)))
    if faults:
        raise DamagedBackup(f"The backup is damaged: {faults[0]}", where=str(folder), remedy="Use another backup.")
    migrations_state.refuse_newer(found.migrations, str(folder))
    database.check_dump(folder / found.dump.path, found.tables)
    return found


def restore(settings: Settings, source: Path, *, replace: bool, with_secrets: bool, step: Step) -> Restored:
    """Put a backup in the place of the database; nothing is touched before all of it was verified."""
    database = engine()
    connections.close_all()
    with occupancy.alone(settings.home), containers.opened(source, settings.home) as folder:
        found = verified(folder, database)
        if not replace and not database.is_empty():
            raise NotEmpty(
                "The database holds data", where=place.where(), remedy="Use another home, or --replace to overwrite it."
            )
        database.restore(folder / found.dump.path, step("Restoring the database"))
        said = differences(found.tables, database.tables())
        if said:
            raise DamagedBackup(
                f"What was restored differs: {'; '.join(said[:5])}", where=place.where(), remedy="Use another backup."
            )
        if with_secrets:
            _restore_secrets(settings, folder, found)
    missing = tuple(archive.faults(settings.home, found.archive, digests=False))
    return Restored(manifest=found, missing=missing)


def _copied_secrets(settings: Settings, folder: Path) -> tuple[manifest.FileEntry, ...]:
    kept = ensure_folder(folder / _SECRETS, mode=SECRET_FOLDER)
    paths = [path for path in sorted(settings.secrets_folder.glob("*")) if path.is_file()]
    copies = [Path(shutil.copyfile(path, kept / path.name)) for path in paths]
    return tuple(archive.file_entry(copy, folder) for copy in copies)


def _restore_secrets(settings: Settings, folder: Path, found: Manifest) -> None:
    ensure_folder(settings.secrets_folder, mode=SECRET_FOLDER)
    for entry in found.secrets:
        path = folder / entry.path
        write_atomically(settings.secrets_folder / path.name, path.read_bytes(), mode=SECRET)


def _settle(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
