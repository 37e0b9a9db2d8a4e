"""Every item of the seeds is found in the product, planned, or ruled out; the reader finds each kind of fault."""

from collections import Counter
from pathlib import Path

import pytest

from tests.architecture.traceability import (
    PARTS,
    Entries,
    Entry,
    Items,
    faults,
    missing_file,
    missing_name,
    product_resolver,
    read_entries,
    read_items,
)

ROOT = Path(__file__).parents[2]
ITEMS = ROOT / "tests/data/seed_items.csv"
DOCUMENT = ROOT / "docs/traceability.md"

#: Columns per table in the order of seed D.
DATA_DICTIONARY = {
    "ABSTRACT_TARGET": 15, "TARGET": 7, "SEED": 4, "TARGET_GROUP": 6, "GROUP_MEMBER": 3, "SCHEDULE": 9,
    "TARGET_INSTANCE": 21, "HARVEST_RESULT": 9, "ARC_HARVEST_RESULT": 1, "HR_MODIFICATION_NOTE": 3,
    "ARC_HARVEST_FILE": 4, "HARVEST_RESOURCE": 5, "ARC_HARVEST_RESOURCE": 5, "SIP_PART_ELEMENT": 3,
    "TARGET_INSTANCE_ORIG_SEED": 2, "SITE": 8, "URL_PATTERN": 3, "AUTHORISING_AGENT": 7, "SITE_AUTH_AGENCY": 2,
    "PERMISSION": 21, "PERMISSION_URLPATTERN": 2, "PERMISSION_EXCLUSION": 5, "SEED_PERMISSION": 2,
    "URL_PERMISSION_MAPPING": 4, "PROFILE": 10, "PROFILE_OVERRIDES": 18, "PO_EXCLUSION_URI": 3, "PO_INCLUSION_URI": 3,
    "PROFILE_CREDENTIALS": 6, "PROFILE_BASIC_CREDENTIALS": 2, "PROFILE_FORM_CREDENTIALS": 5, "WCTAUDIT": 11,
    "WCT_LOGON_DURATION": 8, "AGENCY": 8, "WCTROLE": 4, "ROLE_PRIVILEGE": 4, "WCTUSER": 18, "USER_ROLE": 2,
    "PERMISSION_TEMPLATE": 6, "TASK": 11, "ANNOTATIONS": 6, "BANDWIDTH_RESTRICTIONS": 5, "DUBLIN_CORE": 16,
    "HARVEST_STATUS": 10, "NOTIFICATION": 6, "ID_GENERATOR": 2,
}  # fmt: skip

KINDS = {
    "A": {"concept": 8, "requirement": 10, "component": 4, "step": 30, "rule": 26, "metacolumn": 6}
    | {"table": 15, "column": 52, "values": 1},
    "B": {"table": 9, "column": 20, "rule": 8},
    "C": {"rule": 49},
    "D": {"table": 46, "column": 315, "rule": 10, "step": 6},
    "E": {"table": 17, "column": 110, "rule": 21},
}


def test_the_document_answers_for_every_item():
    """Each item has one entry, and all that the entries name exists."""
    found = faults(read_items(ITEMS), read_entries(DOCUMENT), root=ROOT, resolver=product_resolver(ROOT))
    assert not found, "\n".join(map(str, found))


@pytest.mark.parametrize("seed", sorted(KINDS))
def test_the_list_holds_the_whole_seed(seed):
    """No table, column, rule or requirement has been dropped from the list."""
    assert Counter(item.kind for item in read_items(ITEMS).rows if item.seed == seed) == KINDS[seed]


def test_the_list_holds_the_whole_data_dictionary():
    """Every table of seed D has as many columns in the list as in the seed."""
    columns = [item.key.split(".")[1] for item in read_items(ITEMS).rows if item.seed == "D" and item.kind == "column"]
    assert Counter(columns) == DATA_DICTIONARY


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6, 7, 10])
def test_a_requirement_of_the_crawl_names_the_test_that_shows_it(number):
    """Requirements 1 to 7 and 10 of seed A are built, and each is shown by a test of a tiny site that names it."""
    (entry,) = (entry for entry in read_entries(DOCUMENT).rows if entry.key == f"A.req.{number}")
    shown = [each.partition("::")[0] for each in entry.references if each.startswith("tests/sites/") and "::" in each]
    assert entry.status == "built"
    assert shown
    words = f"Seed A requirement {number}:"
    assert any((ROOT / file).read_text(encoding="utf-8").startswith(f'"""{words}') for file in shown)


# What the reader finds in planted documents

ROW = "| `A.req.1` crawls every path | — | planned: crawl |"


@pytest.fixture
def planted(tmp_path):
    """Writes a list with one item and a document with the given rows, and tells what is wrong with them."""

    def check(*rows, items="A,4,requirement,A.req.1,crawls every path\n"):
        (tmp_path / "items.csv").write_text(f"seed,section,kind,item,title\n{items}", encoding="utf-8")
        text = "\n".join(["# Planted", "", "| item | carried by | status |", "|---|---|---|", *rows])
        (tmp_path / "document.md").write_text(text, encoding="utf-8")
        listed, entered = read_items(tmp_path / "items.csv"), read_entries(tmp_path / "document.md")
        return [str(fault) for fault in faults(listed, entered, root=tmp_path, resolver=product_resolver(tmp_path))]

    return check


def test_a_complete_document_has_no_fault(planted):
    """An item with one entry is in order."""
    assert planted(ROW) == []


def test_an_item_without_an_entry_is_found(planted):
    """The line of the list is named."""
    assert planted() == ["seed_items.csv line 2: A.req.1 has no entry"]


def test_an_entry_without_an_item_is_found(planted):
    """The line of the document is named."""
    found = planted(ROW, "| `A.req.11` sings | — | planned: crawl |")
    assert found == ["traceability.md line 6, A.req.11: no such item"]


def test_a_repeated_entry_is_found(planted):
    """One item has one entry."""
    assert planted(ROW, ROW) == ["traceability.md: A.req.1 stands 2 times"]


def test_a_repeated_item_is_found(planted):
    """One item stands once in the list."""
    line = "A,4,requirement,A.req.1,crawls every path\n"
    assert planted(ROW, items=line * 2) == ["seed_items.csv: A.req.1 stands 2 times"]


def test_a_changed_title_is_found(planted):
    """List and document call an item by the same title."""
    found = planted("| `A.req.1` crawls some paths | — | planned: crawl |")
    assert found == ["traceability.md line 5, A.req.1: the item's title is 'crawls every path'"]


@pytest.mark.parametrize("status", ["done", "", "Built", "built: yes", "planned", "planned: issue 3", "planned: Crawl"])
def test_an_unknown_status_is_found(planted, status):
    """A status is built, planned for a known part, or ruled out."""
    (found,) = planted(f"| `A.req.1` crawls every path | `opilio.kernel` | {status} |")
    assert found.startswith("traceability.md line 5, A.req.1: ")


@pytest.mark.parametrize("part", PARTS)
def test_every_known_part_may_be_planned(planted, part):
    """The parts are those of the product's plan."""
    assert planted(f"| `A.req.1` crawls every path | — | planned: {part} |") == []


def test_a_built_entry_that_names_nothing_is_found(planted):
    """What is built can be pointed at."""
    (found,) = planted("| `A.req.1` crawls every path | somewhere | built |")
    assert found.endswith("A.req.1: built, but nothing is named that carries it")


@pytest.mark.parametrize(
    "reference",
    [
        "opilio.kernel",
        "opilio.catalogue.models.IdBlock",
        "opilio.catalogue.models.IdBlock.kind",
        "opilio.catalogue.identified.Identified.id",
        "opilio.catalogue.curated.Curated.updated_by",
        "opilio.catalogue.identified.Identified.id_kind",
        "opilio.catalogue.identifiers.reserve_block",
        "page:/in-tray",
        "cli:opilio audit verify",
    ],
)
def test_what_exists_is_found(planted, reference):
    """Modules, classes, fields of tables (abstract ones too), functions, pages and commands may carry an item."""
    assert planted(f"| `A.req.1` crawls every path | `{reference}` | built |") == []


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ("opilio.nowhere", "nowhere does not exist"),
        ("opilio.catalogue.models.Nothing", "Nothing does not exist"),
        ("opilio.catalogue.models.IdBlock.colour", "colour does not exist"),
        ("opilio.catalogue.curated.Curated.colour", "colour does not exist"),
        ("opilio.catalogue.models.IdBlock.kind.name", "name does not exist"),
        ("opilio.catalogue.identifiers.reserve_block.name", "name does not exist"),
        ("os.path", "neither a name of opilio, a file, a page nor a command"),
        ("opilio..kernel", "neither a name of opilio, a file, a page nor a command"),
        ("", "neither a name of opilio, a file, a page nor a command"),
        ("docs/decisions/9999-missing.md", "no such file"),
        ("docs", "neither a name of opilio, a file, a page nor a command"),
        ("../outside.md", "lies outside the repository"),
        ("/etc/passwd", "lies outside the repository"),
        ("page:/no/such/page", "no such page"),
        ("page:in-tray", "the path of a page begins with a slash"),
        ("cli:opilio audit sing", "no command sing"),
        ("cli:opilio audit verify loudly", "no command loudly"),
        ("cli:opilio", "a command begins with opilio and has a name"),
        ("cli:", "a command begins with opilio and has a name"),
    ],
)
@pytest.mark.parametrize("status", ["built", "planned: crawl"])
def test_what_does_not_exist_is_found(planted, reference, reason, status):
    """A reference that leads nowhere is a fault, whatever the status."""
    found = planted(f"| `A.req.1` crawls every path | `{reference}` | {status} |")
    assert found == [f"traceability.md line 5, A.req.1: {reference}: {reason}"]


def test_one_dead_reference_among_good_ones_is_found(planted):
    """Every reference of an entry is looked up."""
    (found,) = planted("| `A.req.1` crawls every path | `opilio.kernel`, `opilio.nowhere` | built |")
    assert found.endswith("opilio.nowhere: nowhere does not exist")


def test_a_file_carries_an_item(planted, tmp_path):
    """A file of the repository resolves, a folder does not."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/rules.md").write_text("# Rules\n", encoding="utf-8")
    assert planted("| `A.req.1` crawls every path | `docs/rules.md` | built |") == []
    assert missing_file("docs/", tmp_path) == "no such file"


def test_a_test_carries_an_item(planted, tmp_path):
    """A test is named by its file and its function."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_paths.py").write_text(
        "def test_all():\n    pass\n\n\ndef helper():\n    pass\n", encoding="utf-8"
    )
    assert planted("| `A.req.1` crawls every path | `tests/test_paths.py::test_all` | built |") == []
    assert missing_file("tests/test_paths.py::test_some", tmp_path) == "no test test_some"
    assert missing_file("tests/test_paths.py::helper", tmp_path) == "no test helper"
    assert missing_file("tests/test_paths.py::", tmp_path) == "no test "
    assert missing_file("tests/test_other.py::test_all", tmp_path) == "no such file"


def test_a_ruling_needs_its_decision(planted, tmp_path):
    """What is ruled out points to a record of the decision that exists."""
    row = "| `A.req.1` crawls every path | — | ruled out: docs/decisions/0001-no-paths.md |"
    (found,) = planted(row)
    assert found.endswith("A.req.1: ruled out, but 'docs/decisions/0001-no-paths.md' is no file of docs/decisions/")
    (tmp_path / "docs/decisions").mkdir(parents=True)
    (tmp_path / "docs/decisions/0001-no-paths.md").write_text("# No paths\n", encoding="utf-8")
    assert planted(row) == []


@pytest.mark.parametrize("file", ["document.md", "docs/decisions/", "docs/decisions/../../document.md"])
def test_a_ruling_in_another_place_is_found(planted, tmp_path, file):
    """Only a record in the folder of decisions rules something out."""
    (tmp_path / "docs/decisions").mkdir(parents=True)
    (found,) = planted(f"| `A.req.1` crawls every path | — | ruled out: {file} |")
    assert found.endswith(f"ruled out, but '{file}' is no file of docs/decisions/")


@pytest.mark.parametrize("status", ["ruled out", "ruled out:", "ruled out, see the decisions"])
def test_a_ruling_without_a_file_is_found(planted, status):
    """A bare ruling is no ruling."""
    (found,) = planted(f"| `A.req.1` crawls every path | — | {status} |")
    assert found.startswith("traceability.md line 5, A.req.1: ")


def test_a_field_of_a_frozen_value_carries_an_item():
    """Fields of dataclasses resolve though the class has no such attribute."""
    assert missing_name("opilio.kernel.config.Loaded.origins") == ""


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("| `A.req.1` crawls every path | — |", "needs 3 columns: item, carried by, status"),
        ("| `A.req.1` crawls every path | — | built | yes |", "needs 3 columns: item, carried by, status"),
        ("| A.req.1 | — | planned: crawl |", "the first column needs an item in backticks and its title"),
        ("| `A.req.1` | — | planned: crawl |", "the first column needs an item in backticks and its title"),
    ],
)
def test_a_misshapen_row_is_found(planted, row, what):
    """The row is named, and its item counts as missing."""
    found = planted(row)
    assert found[0] == f"document.md line 5: {what}"
    assert "seed_items.csv line 2: A.req.1 has no entry" in found


@pytest.mark.parametrize(
    "line", ["A,4,requirement,A.req.1\n", "A,4,requirement,A.req.1,\n", "A,4,requirement,A.req.1,crawls,twice\n", "\n"]
)
def test_a_misshapen_item_is_found(planted, line):
    """A line of the list has five filled columns."""
    assert "items.csv line 2: needs 5 filled columns" in planted(items=line)


def test_an_item_under_the_wrong_seed_is_found(planted):
    """The key of an item begins with the letter of its seed."""
    assert planted(items="B,4,requirement,A.req.1,crawls every path\n") == [
        "items.csv line 2: A.req.1 does not begin with its seed, B"
    ]


@pytest.mark.parametrize(
    "content",
    [b"", b"item,title\nA.req.1,crawls\n", b"\xff\xfe\x00", b'seed,section,kind,item,title\n"' + b"x" * 200_000],
)
def test_an_unusable_list_is_found(tmp_path, content):
    """Wrong header, wrong encoding and monstrous fields are said, not thrown."""
    path = tmp_path / "items.csv"
    path.write_bytes(content)
    items = read_items(path)
    assert items.rows == ()
    assert len(items.faults) == 1


def test_an_unusable_document_is_found(tmp_path):
    """A document that is absent or not UTF-8 is said, not thrown."""
    path = tmp_path / "document.md"
    assert len(read_entries(path).faults) == 1
    path.write_bytes(b"| \xff | | |")
    assert len(read_entries(path).faults) == 1


def test_faults_of_reading_are_reported(tmp_path):
    """What was wrong while reading reaches the report."""
    entry = Entry(key="A.x", title="x", references=(), status="planned: crawl", line=1)
    items = read_items(tmp_path / "absent.csv")
    assert items.faults[0] in faults(items, Entries(rows=(entry,)), root=tmp_path, resolver=lambda _: "")
    assert faults(Items(), Entries(), root=tmp_path, resolver=lambda _: "") == []
