"""The page of states says what the tables of the workflow say."""

from pathlib import Path

from opilio.curation.harvest_workflow import EVERY_MACHINE as MACHINES
from opilio.curation.states_document import page
from opilio.curation.workflow import TARGETS

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "states.md"


def test_the_page_is_up_to_date():
    """`make docs` writes it anew."""
    assert PAGE.read_text("utf-8") == page(MACHINES)


def test_every_move_is_drawn_and_listed():
    """Once in the drawing, once in the table."""
    text = page(MACHINES)
    for machine in MACHINES:
        for move in machine.moves:
            assert f"{move.source.label} --> {move.target.label}: {move.name}" in text
            assert f"| {move.source.label} | {move.name} | {move.target.label} |" in text
    assert text.count("| Nominated | approve |") == 1
    assert len(TARGETS.moves) == sum(line.startswith("| ") for line in _section(text, "Target"))


def _section(text, noun):
    part = text.partition(f"## {noun}\n")[2].partition("\n## ")[0]
    return [line for line in part.splitlines() if "| from |" not in line]
