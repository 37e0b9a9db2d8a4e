"""Sources written down in a TOML file. Secrets lie in files of their own, named here."""

import tomllib
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from opilio.deliveries.errors import BadSource
from opilio.deliveries.source import Source, SourceProtocol

_LARGEST = 1 << 20  # bytes
Short = Annotated[str, Field(max_length=512)]


class _Written(BaseModel):
    """A source as it is written."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1, max_length=64)]
    protocol: SourceProtocol
    host: Short = ""
    port: int | None = None
    base: Short = "/"
    user: Short = ""
    password_file: Short = ""
    key_file: Short = ""
    passphrase_file: Short = ""
    host_keys: tuple[Short, ...] = ()
    authority_file: Short = ""
    timeout: float = 30.0
    connections: int = 2
    bytes_per_second: int | None = None
    preference: int = 0
    centre: Short = ""


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    source: Annotated[tuple[_Written, ...], Field(min_length=1, max_length=1_000)]


def sources_from(path: Path) -> list[Source]:
    """The sources of a file; paths in it start from its folder."""
    try:
        found = _File.model_validate(tomllib.loads(_read(path).decode("utf-8"))).source
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadSource(f"The file of sources is no TOML: {error}", where=str(path)) from error
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)[:5]
        told = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults)
        raise BadSource(told, where=str(path), remedy="Mend these places.") from error
    names = [one.name for one in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BadSource(f"Two sources are called {twice[0]!r}", where=str(path), remedy="Give each a name of its own.")
    return [_source(one, path.parent) for one in found]


def _source(written: _Written, folder: Path) -> Source:
    plain: dict[str, Any] = written.model_dump(
        exclude={"password_file", "key_file", "passphrase_file", "authority_file"}
    )
    files = {
        "password": written.password_file, "private_key": written.key_file, "passphrase": written.passphrase_file,
        "authority": written.authority_file,
    }  # fmt: skip
    plain |= {name: _secret(folder, given) for name, given in files.items()}
    return Source(**plain)


def _secret(folder: Path, given: str) -> str:
    return _read(folder / given).decode("utf-8", "replace").rstrip("\n") if given else ""


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            content = stream.read(_LARGEST + 1)
    except OSError as error:
        raise BadSource(f"The file cannot be read: {error.strerror}", where=str(path)) from error
    if len(content) > _LARGEST:
        raise BadSource("The file is larger than 1 MiB", where=str(path))
    return content
