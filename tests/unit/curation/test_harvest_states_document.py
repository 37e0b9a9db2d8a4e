"""The page about harvests draws the states that the table of moves has."""

from pathlib import Path

from opilio.curation.harvest_workflow import HARVESTS
from opilio.curation.states_document import page

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "harvests.md"


def test_the_page_is_up_to_date():
    """`make docs` writes its drawing and table anew."""
    drawn = page((HARVESTS,)).partition("## Harvest\n\n")[2].partition("\n\n## ")[0]
    shown = PAGE.read_text("utf-8").partition("<!-- states: begin -->\n")[2].partition("\n<!-- states: end -->")[0]
    assert shown == drawn
