"""The documentation says what the code does: commands, settings, errors, exit codes; its links lead somewhere."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from opilio.cli import plan_reference, reference
from opilio.crawl.outcomes import Outcome
from opilio.deliveries.states import Phase, Status
from opilio.kernel import config

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = reference.pages()
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", sorted(PAGES))
def test_generated_pages_are_current(name):
    """A generated page is what `python -m opilio.cli.reference` writes now."""
    assert (DOCS / "reference" / name).read_text("utf-8") == PAGES[name]


def test_every_command_has_a_heading():
    """Each command stands in the reference under its full name."""
    headings = _HEADING.findall(PAGES["cli.md"])
    assert [name for name, _ in reference.commands() if name not in headings] == []


def test_every_setting_has_a_heading():
    """Each setting stands in the reference."""
    headings = _HEADING.findall(PAGES["settings.md"])
    assert [name for name in config.names() if name not in headings] == []


def test_every_field_of_a_plan_says_what_it_means():
    """Each part of a plan has its section, and each field a comment that stands there."""
    fields_of = {place: [each.name for each in fields(kind)] for place, kind in plan_reference.kinds()}
    assert {"seeds[]", "scope.traps", "scope.query", "warc"} <= set(fields_of)
    rows = re.findall(r"^\| `(\w+)` \|[^|]*\|[^|]*\| (\S.*) \|$", PAGES["plan.md"], re.MULTILINE)
    assert [name for name, _ in rows] == ["version", *(name for names in fields_of.values() for name in names)]


def test_every_error_is_listed_and_says_what_happened():
    """Each class of error has a row, and a docstring of one sentence."""
    kinds = reference.error_classes()
    assert len(kinds) > 30
    assert [kind.__name__ for kind in kinds if f"| `{kind.__name__}` |" not in PAGES["errors.md"]] == []
    assert [kind.__name__ for kind in kinds if not (kind.__doc__ or "").strip().endswith(".")] == []
    codes = re.findall(r"^\| `([a-z0-9-]+)` \|", PAGES["errors.md"], re.MULTILINE)
    assert sorted(codes) == sorted(set(codes))


def test_every_outcome_stands_in_the_reference_with_its_meaning():
    """What may become of a URL is told in the words of the program."""
    text = (DOCS / "reference" / "outcomes.md").read_text("utf-8")
    assert [each for each in Outcome if f"| `{each.value}` | {each.sentence} |" not in text] == []


@pytest.mark.parametrize("kind", [Phase, Status])
def test_every_phase_and_status_of_deliveries_stands_in_the_reference(kind):
    """And none that there is not."""
    text = (DOCS / "reference" / "delivery-states.md").read_text("utf-8")
    part = text.partition("## Phases" if kind is Phase else "## Statuses")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([A-Z_]+)` \|", part, re.MULTILINE) == [each.name for each in kind]


def _links():
    for path in [*sorted(DOCS.rglob("*.md")), *sorted(ROOT.glob("*.md"))]:
        for target in _LINK.findall(_FENCED.sub("", path.read_text("utf-8"))):
            if "://" not in target and not target.startswith("mailto:"):
                yield path, target


def _anchors(path):
    titles = _HEADING.findall(_FENCED.sub("", path.read_text("utf-8")))
    return {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in titles}


def test_links_lead_somewhere():
    """Every link inside the documentation leads to a file, and to a heading in it."""
    broken = []
    for path, target in _links():
        name, _, anchor = target.partition("#")
        place = (path.parent / name).resolve() if name else path
        found = place.exists() and (not anchor or place.suffix != ".md" or anchor in _anchors(place))
        if not found:
            broken.append(f"{path.relative_to(ROOT)}: {target}")
    assert broken == []


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.md")), ids=lambda path: path.relative_to(DOCS).as_posix())
def test_pages_begin_with_a_title(path):
    """A page begins with one title of the first level."""
    text = _FENCED.sub("", path.read_text("utf-8"))
    assert text.startswith("# ")
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1
