"""The page about faults has every kind of the code, in its words."""

from pathlib import Path

from opilio.archive.verify.faults import KINDS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "verify.md"


def test_every_kind_of_fault_has_its_line():
    """Code, severity, meaning and remedy as the program says them; no line for what it does not know."""
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith("| `") and line.count("|") == 5]
    wanted = [f"| `{code}` | {kind.severity} | {kind.meaning} | {kind.remedy} |" for code, kind in KINDS.items()]
    assert lines == wanted
