"""A page of results as readers get it: the whole answer of /find over HTTP, with facets, from a generation."""

import http.client
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.live import installed
from opilio.kernel.files import write_atomically
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.analysis.settings import AnalysisSettings
from opilio.search.document import SearchDocument
from opilio.search.generations.build import Filled, build
from opilio.search.generations.manifest import Manifest
from opilio.search.index.clone import clone
from opilio.search.register import Entry, Register
from opilio.search.views.build import ViewsBuild
from opilio.works.generation_files import ANALYSIS, DOCUMENTS, INDEX, VIEWS
from opilio.works.search_home import SearchHome
from tests.viewers import PATIENCE, filled, serving


@contextmanager
def asking(home: Path, index: Path, documents: Sequence[SearchDocument]) -> Iterator[Callable[[str], float]]:
    """A server whose readers search an index; asks one question and gives the seconds until the page was there."""
    home.mkdir()
    installation = installed(home, "")
    filled(installation)  # a person that may sign in
    search = SearchHome(home / "index")
    build(search.generations, _fill(index, documents), search.contents)
    if not search.publishing.publish().complete:
        raise SystemExit("The generation was not published.")
    with serving(installation) as pages:
        connection = http.client.HTTPConnection("127.0.0.1", pages.port, timeout=PATIENCE)

        def seconds(query: str) -> float:
            begun = time.perf_counter()
            connection.request("GET", f"/find?{urlencode({'q': query})}")
            answer = connection.getresponse()
            page = answer.read()
            took = time.perf_counter() - begun
            if answer.status != http.client.OK or b"<mark>" not in page:
                raise SystemExit(f"The page of results for {query!r} shows no hit: {answer.status}")
            return took

        try:
            yield seconds
        finally:
            connection.close()


def _fill(index: Path, documents: Sequence[SearchDocument]) -> Callable[[Path, Manifest | None], Filled]:
    """A generation around an index that is there already; its views are empty."""

    def fill(folder: Path, before: Manifest | None) -> Filled:
        analyzer = Analyzer()
        clone(index, folder / INDEX)
        write_atomically(folder / ANALYSIS, AnalysisSettings().to_json().encode())
        with ViewsBuild(folder / VIEWS, analyzer) as views:
            views.finish()
        with Register(folder / DOCUMENTS, create=True) as register:
            register.put(
                [Entry(page=page, url=each.url, captured=each.captured) for page, each in enumerate(documents)]
            )
            register.commit()
        counts = {"documents": len(documents), "pages": 0, "words": 0, "links": 0}
        return Filled(counts=counts, analyzer=analyzer.fingerprint, probes=("index",))

    return fill
