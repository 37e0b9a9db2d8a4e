"""Every table of the indexer's database scheme is written by a command, and is what another way of counting finds."""

import pytest

from opilio.search.analysis.stopwords import stop_words
from tests.acceptance.search.independent import Tables


@pytest.fixture
def tables(sample):
    folder, _ = sample
    return Tables(folder / "results" / "result-1.db", lambda language: stop_words(language.partition("-")[0]))


@pytest.fixture
def dumped(sample, opilio):
    """Gives a table as a dictionary."""
    folder, _ = sample
    opilio("index", "build", folder)

    def dump(table):
        lines = opilio("index", "dump", table, plain=True).splitlines()
        found = dict(line.split("\t") for line in lines)
        assert len(found) == len(lines)  # no key twice
        return found

    return dump


def listed(value):
    """The items of a value `id;id;` or `id freq;id freq;`."""
    assert value.endswith(";")
    return [tuple(map(int, item.split(" "))) for item in value.split(";") if item]


def test_the_nine_tables(dumped, tables):
    """Pages, times, words, links and index, each in both directions."""
    urls = dumped("PageIDtoURL")
    numbers = dumped("URLtoPageID")
    assert set(urls.values()) == tables.urls
    assert {number: url for url, number in numbers.items()} == urls
    assert sorted(map(int, urls)) == list(range(len(urls)))  # dense, from 0

    times = dumped("PageIDtoTime")
    assert {urls[number]: time for number, time in times.items()} == tables.times()

    words, word_ids = dumped("WordIDtoWord"), dumped("WordtoWordID")
    met = {word for counts in tables.counted().values() for word in counts} - {""}
    assert {word for number, word in words.items() if number != "0"} == met
    assert {word: number for word, number in word_ids.items() if number != "0"} == {
        word: number for number, word in words.items() if number != "0"
    }
    assert sorted(map(int, words)) == list(range(len(met) + 1))  # 0 is that of all stop words

    children = {
        urls[key]: {urls[str(child)] for (child,) in listed(value)} for key, value in dumped("ParenttoChild").items()
    }
    assert children == {url: set(found) for url, found in tables.children.items() if found}
    parents = {
        urls[key]: {urls[str(each)] for (each,) in listed(value)} for key, value in dumped("ChildtoParent").items()
    }
    assert parents == dict(tables.parents())

    forward = {
        urls[page]: {("" if word == 0 else words[str(word)]): times for word, times in listed(value)}
        for page, value in dumped("PageIDtoWordID").items()
    }
    assert forward == {url: dict(counts) for url, counts in tables.counted().items() if counts}
    inverted = {
        (("" if word == "0" else words[word]), urls[str(page)]): times
        for word, value in dumped("WordIDtoPageID").items()
        for page, times in listed(value)
    }
    assert inverted == {
        (word, url): times for url, counts in tables.counted().items() for word, times in counts.items()
    }


def test_an_unknown_table(dumped, opilio):
    """The message names those that there are."""
    told = opilio("index", "dump", "Pages", code=2)
    assert "PageIDtoURL" in told


def test_a_table_in_a_file(sample, opilio, tmp_path):
    """Is written whole, and the command says how long it is."""
    opilio("index", "build", sample[0])
    told = opilio("index", "dump", "pageidtourl", "--output", tmp_path / "pages.txt")
    assert told["lines"] == len((tmp_path / "pages.txt").read_text().splitlines())
