"""Generations small enough for tests: a real tantivy index beside a plain file, all of whose pages bear one number.

An answer that mixes two generations, or misses a page, shows by the numbers.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import tantivy

from opilio.kernel.errors import Damaged
from opilio.search.generations.build import Filled, build
from opilio.search.generations.contents import Found
from opilio.search.generations.library import Generations
from opilio.search.nodes.errors import BadQuestion
from opilio.search.nodes.messages import number

PAGES = 12
WORD = "heron"
_HEAP = 15_000_000


def schema():
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("url", stored=True, tokenizer_name="raw")
    builder.add_text_field("body", stored=True)
    builder.add_integer_field("number", stored=True, indexed=True, fast=True)
    return builder.build()


def fill(bears, *, pages=PAGES):
    """Fills a folder with pages that all bear a number."""

    def filled(folder, before):
        where = folder / "index"
        where.mkdir(exist_ok=True)
        index = tantivy.Index.open(str(where)) if before is not None else tantivy.Index(schema(), path=str(where))
        writer = index.writer(_HEAP, 1)
        for page in range(pages):
            url = f"https://site.test/{page:04}"
            writer.delete_documents_by_term("url", url)
            writer.add_document(tantivy.Document(url=url, body=f"{WORD} number {bears}", number=bears))
        writer.commit()
        writer.wait_merging_threads()
        (folder / "views.txt").write_text(json.dumps({"number": bears, "pages": pages}))
        return Filled(counts={"pages": pages}, analyzer="tiny", sources={"site": str(bears)}, probes=(WORD, "nothing"))

    return filled


@dataclass
class TinyOpened:
    """Reads the plain file anew for each answer, so that files under its feet would show."""

    folder: Path
    index: tantivy.Index
    closed: bool = False

    def counts(self):
        return {"pages": self.index.searcher().num_docs}

    def probe(self, query):
        found = self._hits(query, 1_000)
        return Found(total=len(found), first=tuple(sorted(hit["url"] for hit in found)[:5]))

    def search(self, question, reader):
        if not question.get("q"):
            raise BadQuestion("q is empty", where="q", remedy="Send words.")
        limit = number(question, "limit", default=1_000, most=1_000)
        views = json.loads((self.folder / "views.txt").read_text())
        return {"views": views["number"], "total": views["pages"], "results": self._hits(question["q"], limit)}

    def suggest(self, question, reader):
        return {"suggestions": [WORD] if WORD.startswith(question.get("q", "")) else []}

    def close(self):
        assert not self.closed
        self.closed = True

    def _hits(self, query, limit):
        assert not self.closed
        searcher = self.index.searcher()
        asked = tantivy.Query.term_query(self.index.schema, "body", query)
        hits = searcher.search(asked, limit or 1).hits
        documents = [searcher.doc(address) for _, address in hits]
        return [{"url": each["url"][0], "number": each["number"][0]} for each in documents][:limit]


class TinyContents:
    """Opens them."""

    def open(self, folder, manifest):
        try:
            index = tantivy.Index.open(str(folder / "index"))
            index.reload()
            return TinyOpened(folder, index)
        except (ValueError, OSError) as error:
            raise Damaged(f"the tiny index cannot be opened: {error}", where=str(folder)) from error


def made(root, bears, *, parent="", pages=PAGES):
    """A generation whose pages bear a number."""
    return build(Generations(root), fill(bears, pages=pages), TinyContents(), parent=parent)


def flip(path, at=-1):
    """Turn one bit of a file round, as a tired disk does; files that share its bytes are spared."""
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.unlink()
    path.write_bytes(data)


def complete(answer, *, pages=PAGES):
    """The number that a whole, unmixed answer bears; an AssertionError for any other."""
    numbers = {hit["number"] for hit in answer["results"]} | {answer["views"]}
    assert len(numbers) == 1, f"mixed: {numbers}"
    assert len({hit["url"] for hit in answer["results"]}) == pages == answer["total"]
    return numbers.pop()
