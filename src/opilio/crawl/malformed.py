"""References of a page that are no URL: nothing can be asked for, so they are counted and reported with the page."""

from opilio.crawl.frontier.batch import Denial
from opilio.extract import Extracted

#: The rule under which they are counted, beside those of the scope.
MALFORMED = "malformed link"


def malformed_links(extracted: Extracted, page: str) -> list[Denial]:
    """What is to be told about the links of a page; the first of them is the example."""
    if not extracted.malformed:
        return []
    example = extracted.malformed_samples[0] if extracted.malformed_samples else ""
    return [Denial(rule=MALFORMED, url=example, parent=page, count=extracted.malformed)]
