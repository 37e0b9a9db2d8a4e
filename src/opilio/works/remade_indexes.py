"""Makes the indexes of a crawl's results anew, each in its place: when one was lost, or is wanted in another form."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from opilio.archive.results.folder import ResultsFolder
from opilio.works.crawl_rows import rows_of
from opilio.works.index_warcs import Form, Order


def index_orders(folder: Path, number: int | None, form: Form, digits: int) -> Iterator[tuple[int, Order]]:
    """What to make for a result, or for all of them."""
    results = ResultsFolder(folder)
    for each in results.numbers() if number is None else [results.require(number)]:
        output = results.index(each).with_suffix(form.suffix)
        rows = partial(rows_of, number=each)
        yield each, Order(paths=[folder], output=output, form=form, digits=digits, crawl_rows=rows)
