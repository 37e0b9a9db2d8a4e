"""robots.txt: which lines hold for whom, which line decides, and that nothing a server sends can break the reader."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from opilio.crawl.robots import MOST_BYTES, names_of, parse, product_token

SITE = "http://example.com"


def allowed(text: str | bytes, url: str, agent: str = "opilio") -> bool:
    data = text if isinstance(text, bytes) else text.encode()
    return parse(data).for_agent(agent).decide(url if "://" in url else SITE + url).allowed


def lines(*parts: str) -> str:
    return "\n".join(parts) + "\n"


EVERYBODY = "User-agent: *"
CASES = [
    # What is not said is allowed.
    ("", "/x", True),
    ("# nothing", "/x", True),
    (lines(EVERYBODY, "Disallow:"), "/x", True),
    (lines("Disallow: /"), "/x", True),  # before any agent: holds for nobody
    (lines("User-agent: other", "Disallow: /"), "/x", True),
    # Prefixes, and the case of paths.
    (lines(EVERYBODY, "Disallow: /"), "/", False),
    (lines(EVERYBODY, "Disallow: /fish"), "/fish.html", False),
    (lines(EVERYBODY, "Disallow: /fish"), "/fishheads/yummy.html?id=3", False),
    (lines(EVERYBODY, "Disallow: /fish"), "/Fish", True),
    (lines(EVERYBODY, "Disallow: /fish/"), "/fish", True),
    (lines(EVERYBODY, "Disallow: fish"), "/fish", True),  # a path starts with a slash
    # Wildcards and the end.
    (lines(EVERYBODY, "Disallow: /*.php"), "/folder/file.php?x=1", False),
    (lines(EVERYBODY, "Disallow: /*.php$"), "/file.php", False),
    (lines(EVERYBODY, "Disallow: /*.php$"), "/file.php?x", True),
    (lines(EVERYBODY, "Disallow: /a*b*c$"), "/axxbyyc", False),
    (lines(EVERYBODY, "Disallow: /a*b*c$"), "/axxbyycz", True),
    (lines(EVERYBODY, "Disallow: /*ab$"), "/abab", False),
    (lines(EVERYBODY, "Disallow: /a$b"), "/a$b", False),  # inside, $ is a dollar
    (lines(EVERYBODY, "Disallow: /a$b"), "/a", True),
    (lines(EVERYBODY, "Disallow: *"), "/x", False),
    (lines(EVERYBODY, "Disallow: /**x"), "/yyx", False),
    (lines(EVERYBODY, "Disallow: /$"), "/", False),
    (lines(EVERYBODY, "Disallow: /$"), "/x", True),
    (lines(EVERYBODY, "Disallow: $"), "/", True),
    # The longest line decides; allow wins a tie.
    (lines(EVERYBODY, "Allow: /p", "Disallow: /"), "/page", True),
    (lines(EVERYBODY, "Disallow: /folder", "Allow: /folder"), "/folder/page", True),
    (lines(EVERYBODY, "Allow: /page", "Disallow: /*.htm"), "/page.htm", False),
    (lines(EVERYBODY, "Allow: /page", "Disallow: /*.ph"), "/page.php5", True),
    (lines(EVERYBODY, "Allow: /$", "Disallow: /"), "/", True),
    (lines(EVERYBODY, "Allow: /$", "Disallow: /"), "/page", False),
    (lines(EVERYBODY, "Disallow: /x/page.html", "Allow: /x/"), "/x/page.html", False),
    # The own group replaces the one for everybody, also when it is empty.
    (lines(EVERYBODY, "Disallow: /", "", "User-agent: opilio", "Disallow: /a"), "/b", True),
    (lines("User-agent: opilio", "Disallow: /a", "", EVERYBODY, "Disallow: /"), "/b", True),
    (lines("User-agent: Opilio", "", EVERYBODY, "Disallow: /"), "/b", False),  # one group: no rule between the names
    (lines("User-agent: Opilio", "Disallow:", EVERYBODY, "Disallow: /"), "/b", True),
    # Groups of the same name are one.
    (
        lines("User-agent: opilio", "Disallow: /a", EVERYBODY, "Disallow: /", "User-agent: OPILIO", "Disallow: /b"),
        "/b",
        False,
    ),
    (
        lines("User-agent: opilio", "Disallow: /a", EVERYBODY, "Disallow: /", "User-agent: OPILIO", "Disallow: /b"),
        "/c",
        True,
    ),
    (lines("User-agent: a", "User-agent: opilio", "Disallow: /x"), "/x", False),
    # Other lines do not part a group.
    (lines("User-agent: opilio", "Sitemap: http://example.com/s.xml", "User-agent: b", "Disallow: /x"), "/x", False),
    (lines("User-agent: opilio", "Crawl-delay: 5", "Host: x", "User-agent: b", "Disallow: /x"), "/x", False),
    # Versions and remarks behind names.
    (lines("User-agent: Opilio/2.0", "Disallow: /"), "/x", False),
    (lines("User-agent: opilio news", "Disallow: /"), "/x", False),
    (lines("User-agent: * all of you", "Disallow: /"), "/x", False),
    (lines("User-agent: *bot", "Disallow: /"), "/x", True),
    (lines("User-agent: opiliobot", "Disallow: /"), "/x", True),
    # Lenient reading.
    (lines("user-AGENT:*", "disALLOW:/x"), "/x", False),
    (lines("User-agent *", "Disallow /x"), "/x", False),
    (lines("User-agent : *", "  Disallow\t:   /x   # remark"), "/x", False),
    (lines("useragent: *", "Dissallow: /x"), "/x", False),
    (lines(EVERYBODY, "Disallow: /a b"), "/a%20b", False),
    (lines(EVERYBODY, "Disallow /a b"), "/a%20b", True),  # three words without a colon mean nothing
    (lines(EVERYBODY, ": /x", "nonsense", "Disallow"), "/x", True),
    # Escapes: one spelling for both sides.
    (lines(EVERYBODY, "Disallow: /%7Ejoe/"), "/~joe/x", False),
    (lines(EVERYBODY, "Disallow: /~joe/"), "/%7ejoe/x", False),
    (lines(EVERYBODY, "Disallow: /a%2fb"), "/a%2Fb", False),
    (lines(EVERYBODY, "Disallow: /a%2fb"), "/a/b", True),
    (lines(EVERYBODY, "Disallow: /ü"), "/%C3%BC", False),
    (lines(EVERYBODY, "Disallow: /%c3%bc"), "/ü", False),
    (lines(EVERYBODY, "Disallow: /x%2A"), "/x*", False),
    (lines(EVERYBODY, "Disallow: /x%2A"), "/xy", True),
    (lines(EVERYBODY, "Disallow: /x%24"), "/x$y", False),
    (lines(EVERYBODY, "Disallow: /%zz"), "/%zz", False),
    # The file itself, the query, the fragment, and URLs without a path.
    (lines(EVERYBODY, "Disallow: /"), "/robots.txt", True),
    (lines(EVERYBODY, "Disallow: /"), "/robots.txt?x", True),
    (lines(EVERYBODY, "Disallow: /"), "/x/robots.txt", False),
    (lines(EVERYBODY, "Disallow: /*?s="), "/x?s=1", False),
    (lines(EVERYBODY, "Disallow: /x"), "/#/x", True),
    (lines(EVERYBODY, "Disallow: /$"), "http://example.com", False),
    (lines(EVERYBODY, "Disallow: /?q"), "http://example.com?q", False),
]


@pytest.mark.parametrize(("text", "url", "expected"), CASES)
def test_who_may_fetch_what(text, url, expected):
    """The rules of RFC 9309, one case each."""
    assert allowed(text, url) is expected


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\n\r", "\r\r"])
def test_any_line_end_will_do(end):
    """Files of all systems are read alike."""
    assert not allowed(end.join([EVERYBODY, "Disallow: /x", ""]), "/x")


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfUser-agent: *\nDisallow: /x",
        b"User-agent: *\nDisallow: /x",
        b"\x00\x01\xff\xfe\n\nUser-agent: *\n\xff\xff: \xfe\nDisallow: /x\x00",
        b"User-agent: *\nDisallow: /x" + b"y" * 20_000 + b"\nDisallow: /x",
    ],
    ids=["byte order mark", "no last line end", "garbage around", "a very long line before"],
)
def test_odd_bytes_do_no_harm(data):
    """Marks, garbage and endless lines leave the other lines as they are."""
    if b"\x00" in data:
        assert not allowed(data, "/x%00")
    else:
        assert not allowed(data, "/x")


def test_bytes_that_are_no_utf8_match_their_escapes():
    """A path in Latin-1 is compared byte by byte."""
    assert not allowed(b"User-agent: *\nDisallow: /\xfc", "/%FC")


def test_the_deciding_line_is_named():
    """A decision carries the number and the words of its line."""
    text = "\ufeff# rules\r\n\r\nUser-agent: *\r\nDisallow: /a  # no\r\nAllow: /a/b\r\n"
    rules = parse(text.encode()).for_agent("opilio")
    no, yes, free = (rules.decide(f"{SITE}{path}") for path in ("/a/x", "/a/b/c", "/z"))
    assert (no.allowed, no.line.number, no.line.text) == (False, 4, "Disallow: /a  # no")
    assert (yes.allowed, yes.line.number) == (True, 5)
    assert (free.allowed, free.line, free.reason) == (True, None, "no line forbids it")
    assert no.reason == "disallowed by line 4"


def test_the_longest_name_counts():
    """A crawler obeys the group of its full name, then of its family, then the one for everybody."""
    text = lines(
        "User-agent: opilio", "Disallow: /a", "User-agent: opilio-news", "Disallow: /b", EVERYBODY, "Disallow: /c"
    )
    assert names_of("Opilio-News/1.0 (+x)") == ("opilio-news", "opilio", "*")
    for agent, closed in (("opilio-news", "/b"), ("opilio-images", "/a"), ("OPILIO/2", "/a"), ("other", "/c")):
        assert [path for path in ("/a", "/b", "/c") if not allowed(text, path, agent)] == [closed]


@pytest.mark.parametrize(
    ("text", "token"), [("Opilio/0.1 (+x)", "Opilio"), ("a_b-c d", "a_b-c"), ("bot2", "bot"), ("", ""), ("é", "")]
)
def test_the_product_token_is_the_first_word(text, token):
    """Letters, hyphens and underscores."""
    assert product_token(text) == token


def test_nobody_is_everybody():
    """A crawler without a name obeys the group for everybody."""
    assert not allowed(lines(EVERYBODY, "Disallow: /x"), "/x", "")


def test_sitemaps_are_collected_wherever_they_stand():
    """They belong to no group."""
    text = lines("Sitemap: http://example.com/1.xml", EVERYBODY, "Disallow: /", "site-map:  /2.xml # two", "Sitemap:")
    assert parse(text.encode()).sitemaps == ("http://example.com/1.xml", "/2.xml")


def test_crawl_delay_holds_for_the_agents_above_it():
    """The last one that can be read counts, with its line."""
    text = lines(
        "User-agent: a", "Crawl-delay: 7", "User-agent: b", "Disallow: /x", "Crawl-delay: soon", EVERYBODY,
        "Crawl-delay: 2.5", "Crawl-delay: 1e9", "Crawl-delay: -1", "Crawl-delay: nan",
    )  # fmt: skip
    robots = parse(text.encode())
    assert [robots.for_agent(name).crawl_delay for name in ("a", "b", "c")] == [7, None, 2.5]
    assert robots.for_agent("a").crawl_delay_line.number == 2


def test_at_least_500_kib_are_parsed_and_the_rest_is_cut_at_a_line():
    """A rule at 500 KiB holds; a rule cut in two by the limit does not."""
    start = EVERYBODY.encode() + b"\n"
    filler = b"#" * (500 * 1024 - len(start) - 20) + b"\n"
    robots = parse(start + filler + b"Disallow: /x\n" + b"# more\n" * 10_000)
    assert robots.truncated
    assert not robots.for_agent("a").decide(f"{SITE}/x")
    cut = start + b"#" * (MOST_BYTES - len(start) - 12) + b"\nDisallow: /very/long"
    assert parse(cut).for_agent("a").decide(f"{SITE}/very/short").allowed


def test_a_hostile_file_is_answered():
    """Tens of thousands of wildcards against a long path: matching must not go back over what it has seen."""
    body = EVERYBODY + "\n" + "".join(f"Disallow: /*a*a*a*{number}$\n" for number in range(20_000))
    rules = parse(body.encode()).for_agent("opilio")
    assert rules.decide(f"{SITE}/{'a' * 15_000}").allowed
    assert rules.decide(f"{SITE}/{'a' * 15_000}19999").line.number == 20_001


PATHS = st.text(alphabet="ab/.*$?", max_size=8).map(lambda text: f"/{text}")
URL_PATHS = st.text(alphabet="ab/.?", max_size=10).map(lambda text: f"/{text}")
RULES = st.lists(st.tuples(st.booleans(), PATHS), max_size=8)


def simple_decision(rules, path):
    """The rule of RFC 9309 §2.2.2, spelt with regular expressions: the longest match decides, allow wins a tie."""
    found = []
    for allow, pattern in rules:
        end = "$" if pattern.endswith("$") else ""
        spelt = ".*".join(re.escape(part) for part in pattern.removesuffix("$").split("*"))
        if re.match(spelt + end, path):
            found.append((len(pattern), allow))
    return max(found, default=(0, True))[1]


@given(RULES, st.sampled_from(["\n", "\r", "\r\n"]), URL_PATHS)
@example([(False, "/"), (True, "/$")], "\n", "/")
def test_the_longest_match_decides(rules, end, path):
    """For any rules and any path, as a much simpler matcher decides."""
    body = [EVERYBODY, *(f"{'Allow' if allow else 'Disallow'}: {pattern}" for allow, pattern in rules)]
    assert allowed(end.join(body), path) is simple_decision(rules, path)


@given(st.binary(max_size=400), st.text(max_size=40), st.text(max_size=10))
def test_nothing_breaks_the_reader(data, path, agent):
    """Any bytes are read, and any URL gets an answer."""
    robots = parse(data)
    assert robots.for_agent(agent).decide(f"{SITE}/{path}").allowed in (True, False)
