"""From a crawl to an answer by commands: build, publish, search, look into it, roll back; and what goes wrong."""

import shutil

import pytest


def urls(answer, site):
    return [hit["url"].removeprefix(site) for hit in answer["results"]]


def test_the_way_of_a_newcomer(published, opilio):
    """What is asked is found, with a snippet, facets and a notice."""
    answer = opilio("search", "tide", "tables")
    assert urls(answer, published)[0] == "/tides/"
    hit = answer["results"][0]
    assert "<mark>" in hit["snippet"]["html"]
    assert (hit["agency"], hit["copyright"], hit["crawl"]) == ("museum", "© the harbour museum", "harbour")
    assert {facet["value"] for facet in answer["facets"]["languages"]} >= {"en"}
    assert "opilio search" not in opilio("search", "tide", plain=True)


@pytest.mark.parametrize(
    ("words", "options", "path"),
    [
        (['"reading a harbour log"'], [], "/research/reading-a-harbour-log.html"),
        (["hafen*"], ["--language", "de"], "/de/"),
        (["title:tides"], ["--sort", "date"], "/tides/"),
        (["harbour"], ["--type", "pdf"], None),
    ],
)
def test_ways_to_ask(published, opilio, words, options, path):
    """Phrases, fields, wildcards, filters."""
    found = urls(opilio("search", *words, *options), published)
    assert path is None or any(each.startswith(path) for each in found)
    if path is None:
        assert all(each.endswith(".pdf") for each in found)


def test_a_word_that_must_not_be_there_needs_no_quotes(published, opilio):
    """`-word` is no option, wherever it stands; `--word` is one, and is refused."""
    every, without = (opilio("search", "harbour", *more)["total"] for more in ([], ["-tide", "--limit", "1"]))
    assert 0 < without < every
    assert opilio("search", "-tide", "harbour")["total"] == without
    assert "no option --limt" in opilio("search", "harbour", "--limt", "3", code=2)


def test_a_score_is_explained(published, opilio):
    """By fields and terms, link rank and freshness."""
    (first, *_) = opilio("search", "tide", "--explain", "--limit", "1")["results"]
    why = first["explanation"]
    assert {part["field"] for part in why["parts"]} >= {"title", "body"}
    assert why["score"] == pytest.approx(why["text"] * (1 + why["link_rank"] + why["freshness"]), rel=1e-3)
    assert first["score"] == pytest.approx(why["score"], rel=1e-3)


def test_nothing_is_found(published, opilio):
    """The answer says what to do."""
    assert "opilio index status" in opilio("search", "xyzzyplugh", plain=True)


def test_pages_words_and_links(published, opilio):
    """The stories of the index by command, for machines and for people."""
    story = opilio("index", "page", f"{published}/tides/")
    assert story["indexed"]
    assert story["title"].startswith("Tide tables")
    assert story["captures"][0]["crawl"] == "harbour"
    assert any(parent["url"] == f"{published}/" for parent in story["links"]["parents"])
    word = opilio("index", "word", "Harbour", "--limit", "2")
    assert (word["word"], len(word["shown"])) == ("harbour", 2)
    more = opilio("index", "word", "harbour", "--limit", "2", "--after", word["onward"])
    assert more["shown"][0]["page"] > word["shown"][1]["page"]
    links = opilio("index", "links", f"{published}/")
    assert links["linking_pages"] == len(links["parents"])
    for verb, what in (("page", f"{published}/"), ("word", "harbour"), ("links", f"{published}/")):
        assert published in opilio("index", verb, what, plain=True)


def test_why_a_page_is_not_indexed(published, opilio, sample):
    """The story of a URL that cannot be found says why."""
    broken = opilio("crawl", "report", sample[0])["broken_links"]
    assert broken
    pages = [opilio("index", "page", f"{published}/news/regatta-results.html")]
    assert not pages[0]["indexed"]
    assert "does not exist" in pages[0]["why_not"]


def test_growing_and_rolling_back(published, opilio):
    """A second generation is grown from the first, published, and rolled back from."""
    first = opilio("index", "status")["generations"][0]["id"]
    second = opilio("index", "build")
    assert second["parent"] == first
    report = opilio("index", "publish", "--keep", "5")
    assert report["complete"]
    assert {node["generation"] for node in report["nodes"]} == {second["generation"]}
    assert opilio("index", "verify")["generation"] == second["generation"]
    back = opilio("index", "rollback")
    assert {node["generation"] for node in back["nodes"]} == {first}
    status = opilio("index", "status")
    assert [each["behind"] for each in status["nodes"]] == [1, 1, 1]
    assert status["readers"] == "primary"


def test_sources(published, opilio, sample):
    """Are listed, told when they change, and forgotten."""
    assert [each["name"] for each in opilio("index", "sources")["sources"]] == ["harbour"]
    assert opilio("index", "status")["sources"][0]["change"] == ""
    opilio("index", "forget", "harbour")
    assert [each["change"] for each in opilio("index", "status")["sources"]] == ["removed"]
    assert "nothing to index" in opilio("index", "build", code=2).lower()


def test_the_working_index(sample, opilio):
    """A crawl is searched before any generation has it; forgotten, it is gone."""
    folder, site = sample
    told = opilio("index", "follow", folder, "--once", "--agency", "museum")
    assert told["followed"] == ["harbour"]
    assert told["added"] > 60
    assert opilio("index", "follow", "--once")["added"] == 0
    assert urls(opilio("search", "--working", "tide", "tables"), site)[0] == "/tides/"
    assert opilio("search", "--working", "tide", "--as-staff", "museum")["total"] > 0
    assert opilio("search", "--working", "tide", "--as-staff", "library")["total"] == 0
    assert opilio("index", "status")["followed"][0]["pages"] == told["added"]
    assert opilio("index", "follow", "--once", "--forget", "harbour")["forgotten"] == told["added"]
    assert opilio("search", "--working", "tide")["total"] == 0


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["search", "tide"], 4, "index build DIR"),
        (["search", "--working", "tide"], 4, "index follow DIR"),
        (["index", "publish"], 4, "index build"),
        (["index", "build"], 2, "index build DIR"),
        (["index", "build", "no-such-folder"], 4, "no such folder"),
        (["index", "follow", "--once", "no-such-folder"], 4, "no such folder"),
        (["index", "forget", "owls"], 4, "index sources"),
        (["index", "page", "nonsense"], 4, "index build DIR"),
        (["index", "dump", "PageIDtoURL"], 4, "index build DIR"),
        (["index", "verify", "../../etc"], 2, "index status"),
        (["index", "rollback", "--node", "owls"], 4, "owls"),
    ],
)
def test_bad_input(opilio, words, code, told):
    """Each message names the thing and the remedy, and nothing is written but what it says."""
    assert told in opilio(*words, code=code)


def test_a_broken_query_is_read_somehow(published, opilio):
    """It never fails."""
    broken = [
        "",
        '"unclosed',
        "AND OR NOT",
        "title:",
        "nosuch:field",
        "(((",
        "a " * 10_000,
        "\x00",
        "*",
        "~",
        "-",
        "𝔘𝔫𝔦",
    ]
    for query in broken:
        assert opilio("search", "--", query)["total"] >= 0


def test_a_page_that_nobody_knows(published, opilio):
    """Is told as such, whether it is a URL or not."""
    assert "no such page" in opilio("index", "page", "https://nowhere.example/", code=4).lower()
    assert "no such page" in opilio("index", "page", "nonsense", code=4).lower()
    assert "one word" in opilio("index", "word", "two words", code=2)
    assert "no page has" in opilio("index", "word", "xyzzyplugh", code=4).lower()


def test_a_damaged_generation_is_refused(published, opilio, tmp_path):
    """A flipped bit keeps it from being published, and the one before goes on."""
    first = opilio("index", "status")["generations"][0]["id"]
    second = opilio("index", "build")["generation"]
    folder = tmp_path / "home" / "index" / "generations" / second
    shutil.copy2(folder / "views.db", folder / "views.db.new")  # hard links of the parent must not be harmed
    data = bytearray((folder / "views.db.new").read_bytes())
    data[len(data) // 2] ^= 1
    (folder / "views.db.new").write_bytes(data)
    (folder / "views.db.new").replace(folder / "views.db")
    assert "views.db" in opilio("index", "verify", code=7)
    main_report = opilio("index", "publish", code=6, plain=True)
    assert main_report == "" or second in main_report
    assert {node["generation"] for node in opilio("index", "status")["nodes"]} == {first}
    assert opilio("search", "tide")["total"] > 0
