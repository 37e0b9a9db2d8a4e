"""Opens an index that exists: refuses what is none, and what another analysis made."""

import json
from pathlib import Path
from typing import Final

import tantivy

from opilio.kernel.files import write_atomically
from opilio.search.index.errors import IndexUnreadable, OtherAnalysis
from opilio.search.index.schema import FORMAT, register, schema

ABOUT: Final = "opilio.json"  # beside the engine's files: the format, and the analysis the terms come from


def exists(folder: Path) -> bool:
    """Whether an index was begun in the folder."""
    return (folder / ABOUT).exists()


def create(folder: Path, fingerprint: str) -> tantivy.Index:
    """A new, empty index for terms of one analysis."""
    index = tantivy.Index(schema(), str(folder), reuse=False)
    write_atomically(folder / ABOUT, json.dumps({"format": FORMAT, "analysis": fingerprint}).encode())
    register(index)
    return index


def open_index(folder: Path, fingerprint: str) -> tantivy.Index:
    """An index whose terms come from the analysis of that fingerprint."""
    try:
        about = json.loads((folder / ABOUT).read_bytes())
        found = about["format"], about["analysis"]
        index = tantivy.Index.open(str(folder))
    except (OSError, ValueError, KeyError, TypeError) as error:
        remedy = "Take another generation, or build the index again."
        raise IndexUnreadable(f"the index cannot be opened: {error}", where=str(folder), remedy=remedy) from error
    if found != (FORMAT, fingerprint):
        what = "the index was built with another analysis (stop words, stemming) than the one in force"
        raise OtherAnalysis(what, where=str(folder), remedy="Build the index anew, or restore the word lists.")
    register(index)
    return index
