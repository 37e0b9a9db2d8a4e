"""Writes a result as a pywb installation finds it: collections/NAME with archive, indexes and acl, and config.yaml.

pywb looks for collections itself; `wayback` started in the folder serves them at once.
"""

import json
import re
from pathlib import Path

from opilio.archive.packing.aside import copy_or_link
from opilio.archive.packing.parcel import Parcel, Told, changed, silent
from opilio.archive.results.manifest import sha256_of
from opilio.kernel.errors import InvalidInput
from opilio.kernel.files import writing

ACL_FILE = "access-rules.aclj"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
_CONFIG = {
    "collections_root": "collections",
    "archive_paths": "archive",
    "index_paths": "indexes",
    "acl_paths": "acl",
}


def collection_name(name: str) -> str:
    """A name as pywb allows it in its addresses; `InvalidInput` where nothing is left of it."""
    made = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:80]
    if not _NAME.fullmatch(made):
        remedy = "Give one with --name: letters, digits, hyphens and underscores."
        raise InvalidInput(f"{name[:80]!r} gives no name for a pywb collection", remedy=remedy)
    return made


def write_collection(
    folder: Path, parcel: Parcel, *, name: str, title: str = "", description: str = "", acl: bytes = b"",
    default_access: str = "allow", link: bool = False, told: Told = silent,
) -> Path:  # fmt: skip
    """Fill an empty folder; the collection in it. `acl` are rules in pywb's form, `default_access` is for the rest."""
    collection = folder / "collections" / collection_name(name)
    for part in ("archive", "indexes", "acl"):
        (collection / part).mkdir(parents=True)
    _copy(collection / "archive", parcel, link=link, told=told)
    told("index", 0, 0)
    with writing(collection / "indexes" / "index.cdxj") as stream:
        stream.writelines(parcel.lines())
    if acl:
        (collection / "acl" / ACL_FILE).write_bytes(acl)
    about = {"title": title or parcel.name, "description": description}
    (collection / "metadata.yaml").write_bytes(_yaml({key: value for key, value in about.items() if value}))
    (folder / "config.yaml").write_bytes(_yaml({**_CONFIG, "default_access": default_access}))
    return collection


def _copy(folder: Path, parcel: Parcel, *, link: bool, told: Told) -> None:
    done = 0
    for warc in parcel.warcs:
        told("WARC files", done, parcel.size)
        copy_or_link(warc.path, folder / warc.name, link=link)
        if warc.sha256 and sha256_of(folder / warc.name) != warc.sha256:
            raise changed(warc)
        done += warc.size
    told("WARC files", done, parcel.size)


def _yaml(values: dict[str, str]) -> bytes:
    """Every JSON text is YAML, so that no value can be taken for something else."""
    return "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in values.items()).encode()
