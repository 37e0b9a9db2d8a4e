"""Writes an index: pages in, commits out. Counts after every commit what the index really holds.

After an error the engine may drop later documents without a word, so the writer is then thrown away.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import tantivy

from opilio.kernel.files import ensure_folder
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.document import SearchDocument
from opilio.search.index.checks import check_numbers
from opilio.search.index.entry import Prepared, Preparer, entry
from opilio.search.index.errors import BuildEnded, IndexCountWrong, IndexNotWritten
from opilio.search.index.opening import create, exists, open_index
from opilio.search.index.pages import Pages

_MEMORY: Final = 256_000_000  # bytes, shared by the threads of the writer


class IndexBuild:
    """One writer on one folder, new or existing. Not for several threads; the engine uses threads of its own."""

    def __init__(self, folder: Path, analyzer: Analyzer, *, threads: int = 2, memory: int = _MEMORY) -> None:
        self._folder = folder
        self._preparer = Preparer(analyzer)
        self._writer: tantivy.IndexWriter | None = None
        ensure_folder(folder)
        with self._engine():
            opened = open_index if exists(folder) else create
            self._index = opened(folder, analyzer.fingerprint)
            self._pages = Pages.of(self._index.searcher())
            self._writer = self._index.writer(memory, threads)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        else:
            self.discard()

    def __len__(self) -> int:
        """Pages, with those that are not committed yet."""
        return self._pages.count

    def __contains__(self, page: int) -> bool:
        return page in self._pages

    def add(
        self, page: int, document: SearchDocument | Prepared, *, rank: float = 0.0, group: int | None = None,
        visible_from: float = 0.0,
    ) -> None:  # fmt: skip
        """Put a page in, in place of an earlier one with its id.

        `rank` is its link rank from 0 to 1, `group` the id of its group of near-duplicates (its own id when alone),
        `visible_from` the time (seconds since 1970) before which nobody finds it. A document that cannot be taken is
        refused and harms no other. What other processes prepared is taken quickly.
        """
        writer = self._open_writer()
        check_numbers(page, rank=rank, group=group, visible_from=visible_from)
        prepared = document if isinstance(document, Prepared) else self._preparer.prepared(document)
        made = entry(page, prepared, rank=rank, group=page if group is None else group, visible_from=visible_from)
        with self._engine():
            if page in self._pages:
                writer.delete_documents_by_query(self._of(page))
            writer.add_document(made)
        self._pages.add(page)

    def delete(self, page: int) -> bool:
        """Take a page out; whether it was there."""
        writer = self._open_writer()
        if page not in self._pages:
            return False
        with self._engine():
            writer.delete_documents_by_query(self._of(page))
        self._pages.remove(page)
        return True

    def commit(self) -> int:
        """Make everything so far lasting and visible; gives the number of pages in the index."""
        writer = self._open_writer()
        with self._engine():
            writer.commit()
        return self._counted()

    def close(self) -> None:
        """Commit, and wait until the engine has put its files in order."""
        if self._writer is None:
            return
        self.commit()
        writer, self._writer = self._writer, None
        with self._engine():
            writer.wait_merging_threads()
        self._counted()

    def discard(self) -> None:
        """Throw away what was not committed, and the writer with it."""
        writer, self._writer = self._writer, None
        if writer is None:
            return
        try:
            writer.rollback()
        except (ValueError, OSError, RuntimeError):
            return  # its threads ended with the error: nothing is left to throw away

    def _counted(self) -> int:
        """The number of pages in the index, which must be those that were given."""
        with self._engine():
            self._index.reload()
            found = self._index.searcher().num_docs
        if found != self._pages.count:
            self.discard()
            what = f"the index holds {found:,} pages after a commit, not {self._pages.count:,}"
            raise IndexCountWrong(what, where=str(self._folder), remedy="Build it again from the last generation.")
        return found

    def _of(self, page: int) -> tantivy.Query:
        """The page by its id; a bare term would be taken for a signed number, and match nothing."""
        return tantivy.Query.term_query(self._index.schema, "page", page, "basic")

    def _open_writer(self) -> tantivy.IndexWriter:
        if self._writer is None:
            what = "the build of the index has ended"
            raise BuildEnded(what, where=str(self._folder), remedy="Open the folder again; it holds the last commit.")
        return self._writer

    @contextmanager
    def _engine(self) -> Iterator[None]:
        """Any error of the engine throws the writer away."""
        try:
            yield
        except (ValueError, RuntimeError) as error:
            self.discard()
            what, remedy = f"the index cannot be written: {error}", "See that the disk has room, then build again."
            raise IndexNotWritten(what, where=str(self._folder), remedy=remedy) from error
        except BaseException:
            self.discard()
            raise
