"""Records judged without a store, and the page of a check."""

import zipfile
from datetime import UTC, datetime

from opilio.deliveries.check_page import check_page
from opilio.deliveries.checking import MOST_OF_A_KIND, check
from opilio.deliveries.profile import profile
from opilio.kernel.clock import ManualClock

IMPC = profile("impc")
CLOCK = ManualClock(at=datetime(2024, 6, 1, tzinfo=UTC))
MOUSE = (
    '<mouse specimenID="{}" isBaseline="false" gender="male" zygosity="homozygous" pipeline="P" project="X" '
    'phenotypingCentre="J" DOB="{}"/>'
)
EXPERIMENT = (
    '<experiment experimentID="{}" dateOfExperiment="2024-02-28"><specimenID>{}</specimenID><procedure procedureID="W">'
    '<simpleParameter parameterID="W1"><value>21.5</value></simpleParameter></procedure></experiment>'
)


def specimens(*pairs):
    """A document of specimens with their days of birth."""
    inner = "".join(MOUSE.format(*pair) for pair in pairs)
    return f'<centreSpecimenSet><centre centreID="J">{inner}</centre></centreSpecimenSet>'


def experiments(*pairs):
    """A document of experiments."""
    inner = "".join(EXPERIMENT.format(*pair) for pair in pairs)
    return f'<centreProcedureSet><centre centreID="J" pipeline="P" project="X">{inner}</centre></centreProcedureSet>'


def checked(folder, **documents):
    """A delivery with documents by kind."""
    path = folder / "J.2024-02-29.1.impc.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for kind, text in documents.items():
            archive.writestr(f"J.2024-02-29.1.{kind}.impc.xml", text)
    return check(path, IMPC, clock=CLOCK)


def test_records_are_judged_before_they_are_sent(tmp_path):
    """A birth in the future keeps a delivery from being good; references inside it are found."""
    good = checked(tmp_path, specimen=specimens(("M1", "2024-01-31")), experiment=experiments(("E1", "M1")))
    assert good.good
    assert good.found == []
    bad = checked(tmp_path, specimen=specimens(("M1", "2999-01-31"), ("M2", "2024-01-31"), ("M2", "2024-01-31")))
    assert {(one.kind, one.fatal) for one in bad.found} == {("birth-in-the-past", True), ("twice", True)}
    assert not bad.good


def test_a_record_that_may_have_come_before_is_no_fault(tmp_path):
    """It is told."""
    found = checked(tmp_path, experiment=experiments(("E1", "M9")))
    assert found.good
    (one,) = found.found
    assert (one.kind, one.fatal) == ("specimen-submitted", False)
    assert "delivered before" in one.what


def test_of_many_alike_the_first_are_told_and_the_rest_counted(tmp_path):
    """So that a report can be read."""
    pairs = [(f"M{number}", "2999-01-01") for number in range(MOST_OF_A_KIND + 7)]
    found = checked(tmp_path, specimen=specimens(*pairs)).found
    assert len(found) == MOST_OF_A_KIND + 1
    assert found[-1].what == "There are 7 more like it."


def test_the_page_shows_everything_and_takes_nothing_for_code(tmp_path):
    """What a partner wrote is text."""
    bad = checked(tmp_path, specimen=specimens(("M&lt;b&gt;1", "2999-01-31")))
    page = check_page([bad], "impc")
    assert "M&lt;b&gt;1" in page
    assert "<b>" not in page
    assert "would not be taken" in page
