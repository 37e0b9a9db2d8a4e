"""The bundled sample site: an invented harbour museum with all that a crawl can meet, for demo, docs and tests.

`pages()` lists every response; `SampleSite` serves them on loopback; `expected` says what a crawl must find.
"""

from opilio.works.sample import expected
from opilio.works.sample.listing import pages
from opilio.works.sample.response import Response
from opilio.works.sample.server import SampleSite

__all__ = ["Response", "SampleSite", "expected", "pages"]
