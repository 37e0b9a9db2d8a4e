"""The user's stop list and synonyms, and the settings they become."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.kernel.errors import Missing
from opilio.search.analysis.errors import BadAnalysisSettings, BadWordList
from opilio.search.analysis.settings import AnalysisSettings, StopRule, Synonym
from opilio.search.analysis.wordlists import MOST_BYTES, parse_stop_list, parse_synonyms, read_settings


def test_stop_list_with_languages():
    """Words count for all languages until a heading names one; a minus takes a word off."""
    text = "# ours\nOpilio\n[fr]\nMaison # a house\n-pas\n[*]\nStraße"
    assert parse_stop_list(text, where="stop.txt") == (
        StopRule("", "opilio", True),
        StopRule("fr", "maison", True),
        StopRule("fr", "pas", False),
        StopRule("", "strasse", True),
    )


def test_synonyms_both_ways_and_one_way():
    """Equals bring each other along; an arrow works from left to right; lines add up."""
    found = parse_synonyms("car, Automobile, motor car\nlaptop => computer\ncar, auto", where="synonyms.txt")
    assert dict(found) == {
        "car": ("automobile", "motor car", "auto"),
        "automobile": ("car", "motor car"),
        "motor car": ("car", "automobile"),
        "laptop": ("computer",),
        "auto": ("car",),
    }


@pytest.mark.parametrize(
    ("parse", "text", "what"),
    [
        (parse_stop_list, "good\ntwo words", "is not one word"),
        (parse_stop_list, "good\n---", "is not one word"),
        (parse_stop_list, "good\n[klingon]", "is no language"),
        (parse_stop_list, "good\n" + "x" * 3_000, "more than 2,000"),
        (parse_stop_list, "good\na\0b", "NUL"),
        (parse_synonyms, "a, b\nalone", "has no synonym"),
        (parse_synonyms, "a, b\na, ,b", "is missing"),
        (parse_synonyms, "a, b\na =>", "is missing"),
        (parse_synonyms, "a, b\n=> a", "is missing"),
    ],
)
def test_bad_lines_are_named(parse, text, what):
    """The error says what is wrong, in which file and line, and what to do."""
    with pytest.raises(BadWordList) as caught:
        parse(text, where="words.txt")
    assert what in caught.value.what
    assert caught.value.where == "words.txt, line 2"
    assert caught.value.remedy


def test_files_become_settings(tmp_path):
    """A file with a byte order mark is read; one that is not named adds nothing."""
    stop_list, synonyms = tmp_path / "stop.txt", tmp_path / "synonyms.txt"
    stop_list.write_bytes(b"\xef\xbb\xbfopilio\r\n")
    synonyms.write_text("a, b")
    found = read_settings(stop_list=stop_list, synonyms=synonyms, default_language="en")
    assert found.stop_rules == (StopRule("", "opilio", True),)
    assert found.synonyms == (Synonym("a", ("b",)), Synonym("b", ("a",)))
    assert read_settings(stop_list=None, synonyms=None) == AnalysisSettings()


def test_files_that_cannot_be_used(tmp_path):
    """A missing, a huge and a wrongly encoded file are told apart."""
    with pytest.raises(Missing):
        read_settings(stop_list=tmp_path / "none.txt", synonyms=None)
    path = tmp_path / "words.txt"
    path.write_bytes(b"x\n" * MOST_BYTES)
    with pytest.raises(BadWordList, match="larger"):
        read_settings(stop_list=path, synonyms=None)
    path.write_bytes(b"good\n\xff\xfe")
    with pytest.raises(BadWordList, match="not UTF-8") as caught:
        read_settings(stop_list=None, synonyms=path)
    assert caught.value.where.endswith("line 2")


_SETTINGS = st.builds(
    AnalysisSettings,
    default_language=st.text(max_size=5),
    stop_rules=st.lists(st.builds(StopRule, st.text(max_size=3), st.text(max_size=9), st.booleans())).map(tuple),
    synonyms=st.lists(st.builds(Synonym, st.text(max_size=5), st.lists(st.text(max_size=5)).map(tuple))).map(tuple),
)


@given(_SETTINGS)
def test_settings_survive_as_json(settings):
    """What was written is read back equal."""
    assert AnalysisSettings.from_json(settings.to_json()) == settings


@pytest.mark.parametrize(
    "text",
    ["", "[]", "nul", '{"stop_rules": [1]}', '{"stop_rules": [["a", "b", 1]]}', '{"default_language": 3}',
     '{"synonyms": [["a", "b"]]}', '{"synonyms": 7}', "[" * 100_000],
)  # fmt: skip
def test_settings_that_nobody_wrote(text):
    """They are refused with the place they came from."""
    with pytest.raises(BadAnalysisSettings) as caught:
        AnalysisSettings.from_json(text, where="manifest.json")
    assert caught.value.where == "manifest.json"
