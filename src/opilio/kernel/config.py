"""Reads the settings from `opilio.toml` and `OPILIO_*` and remembers where each value came from.

Order: the environment wins over the file, the file over the default. An unknown name or a wrong type is an
error that names the place and the nearest known setting; nothing is guessed.
"""

import difflib
import os
import tomllib
import types
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from pathlib import Path
from typing import Any, get_type_hints

from opilio.kernel.errors import BadSetting, BrokenConfigFile, UnknownSetting
from opilio.kernel.settings import Rule, Settings

PREFIX = "OPILIO_"
CONFIG_VARIABLE = "OPILIO_CONFIG"
#: Variables under our prefix that are not settings: where the file is, and what only tests and proofs read.
NOT_SETTINGS = frozenset({CONFIG_VARIABLE})
TEST_PREFIX = "OPILIO_TEST_"
FILE_NAME = "opilio.toml"

_TYPES = get_type_hints(Settings)
_FIELDS: Mapping[str, Field[Any]] = types.MappingProxyType({field.name: field for field in fields(Settings)})
_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})
_LARGEST_FILE = 1_048_576  # bytes


@dataclass(frozen=True, kw_only=True)
class Loaded:
    """The settings in force, and for each its origin: `default`, the file's path, or the variable's name."""

    settings: Settings
    origins: Mapping[str, str]


def rule(name: str) -> Rule:
    """The rule under which the setting `name` was declared."""
    found: Rule = _FIELDS[name].metadata["rule"]
    return found


def names() -> tuple[str, ...]:
    """The names of all settings, in the order of their declaration."""
    return tuple(_FIELDS)


def default(name: str) -> object:
    """What a setting is when nobody sets it."""
    value = _FIELDS[name].default
    assert value is not MISSING  # noqa: S101 - every setting is declared with a default
    return value


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + name.upper()


def load(environ: Mapping[str, str] | None = None, folder: Path | None = None) -> Loaded:
    """Read what is in force, for a program started in `folder` with `environ`."""
    environ = os.environ if environ is None else environ  # noqa: TID251 - the one place that reads it
    folder = Path.cwd() if folder is None else folder
    values: dict[str, object] = {}
    origins = dict.fromkeys(_FIELDS, "default")
    path = _file(environ, folder)
    if path is not None:
        for name, raw in _from_file(path):
            values[name] = _typed(name, raw, str(path))
            origins[name] = str(path)
    for name, raw in _from_environ(environ):
        values[name] = _typed(name, raw, f"variable {variable(name)}")
        origins[name] = variable(name)
    base = path.parent if path is not None and origins["home"] == str(path) else folder
    values["home"] = (base / Path(str(values.get("home", _FIELDS["home"].default)))).absolute()
    return Loaded(settings=Settings(**values), origins=types.MappingProxyType(origins))  # type: ignore[arg-type]  # each value was checked by _typed


def environment() -> Mapping[str, str]:
    """The variables of this process, for what may be named in them: passwords of proxies and sites."""
    return types.MappingProxyType(dict(os.environ))  # noqa: TID251 - the one place that reads it


def _file(environ: Mapping[str, str], folder: Path) -> Path | None:
    named = environ.get(CONFIG_VARIABLE)
    if named:
        path = folder / named
        if not path.is_file():
            raise BrokenConfigFile(
                f"There is no configuration file {named}",
                where=f"variable {CONFIG_VARIABLE}",
                remedy="Name an existing file or unset the variable.",
            )
        return path.absolute()
    path = folder / FILE_NAME
    return path.absolute() if path.is_file() else None


def _from_file(path: Path) -> Iterator[tuple[str, object]]:
    for key, value in _parsed(path).items():
        if isinstance(value, dict):
            for inner, deep in value.items():
                yield _known(f"{key}_{inner}", f"{path}, [{key}] {inner}"), deep
        else:
            yield _known(key, f"{path}, {key}"), value


def _parsed(path: Path) -> dict[str, Any]:
    remedy = "Mend the file; `opilio config show` prints the settings that exist."
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise BrokenConfigFile("The configuration file is larger than 1 MiB", where=str(path), remedy=remedy)
        return tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BrokenConfigFile(f"Not valid TOML: {error}", where=str(path), remedy=remedy) from error
    except UnicodeDecodeError as error:
        raise BrokenConfigFile(f"Not UTF-8: {error}", where=str(path), remedy=remedy) from error
    except OSError as error:
        raise BrokenConfigFile(f"Cannot be read: {error.strerror}", where=str(path), remedy=remedy) from error


def _from_environ(environ: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    for key in sorted(environ):
        if key.startswith(PREFIX) and key not in NOT_SETTINGS and not key.startswith(TEST_PREFIX):
            yield _known(key.removeprefix(PREFIX).lower(), f"variable {key}"), environ[key]


def _known(name: str, where: str) -> str:
    if name in _FIELDS:
        return name
    near = difflib.get_close_matches(name, _FIELDS, n=1)
    remedy = f"Did you mean {near[0]}?" if near else "`opilio config show` prints the settings that exist."
    raise UnknownSetting(f"There is no setting {name}", where=where, remedy=remedy)


def _typed(name: str, raw: object, where: str) -> object:
    kind = _TYPES[name]
    value = _converted(kind, raw)
    if value is None:
        raise BadSetting(
            f"Setting {name} must be {_spoken(kind)}, not {_shown(name, raw)}", where=where, remedy=rule(name).sentence
        )
    _within(name, value, where)
    return value


def _shown(name: str, raw: object) -> str:
    return "what it is" if rule(name).secret else repr(raw)[:80]


def _converted(kind: Any, raw: object) -> object | None:
    """`raw` as `kind`, or None when it is no such thing. Text comes from the environment, the rest from TOML."""
    if kind is bool:
        return _boolean(raw)
    if kind in (int, float):
        return _number(kind, raw)
    if kind == tuple[str, ...]:
        return _texts(raw)
    if not isinstance(raw, str) or "\x00" in raw:
        return None
    return Path(raw) if kind is Path else raw


def _boolean(raw: object) -> bool | None:
    if isinstance(raw, bool):
        return raw
    word = raw.strip().lower() if isinstance(raw, str) else ""
    return True if word in _TRUE else False if word in _FALSE else None


def _number(kind: type[int] | type[float], raw: object) -> int | float | None:
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        return None
    if kind is int and isinstance(raw, float):
        return None
    try:
        return kind(raw)
    except ValueError:
        return None


def _texts(raw: object) -> tuple[str, ...] | None:
    if isinstance(raw, str):
        return tuple(part.strip() for part in raw.split(",") if part.strip())
    if isinstance(raw, list) and all(isinstance(part, str) for part in raw):
        return tuple(raw)
    return None


def _within(name: str, value: object, where: str) -> None:
    kept = rule(name)
    if kept.choices and value not in kept.choices:
        raise BadSetting(
            f"Setting {name} must be one of {', '.join(kept.choices)}, not {value!r}", where=where, remedy=kept.sentence
        )
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = kept.minimum, kept.maximum
        if not ((low is None or value >= low) and (high is None or value <= high)):
            raise BadSetting(
                f"Setting {name} must lie between {low:g} and {high:g}, not {value!r}",
                where=where,
                remedy=kept.sentence,
            )


def _spoken(kind: Any) -> str:
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "text", Path: "a path"}
    return words.get(kind, "a list of texts")
