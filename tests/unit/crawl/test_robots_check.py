"""`opilio robots check`: the answer, the line, and what is said about bad input."""

import io
import json
import sys

import pytest

from opilio.cli.main import main

TEXT = b"User-agent: *\nCrawl-delay: 5\nDisallow: /private  # keep out\nSitemap: https://example.com/map.xml\n"


@pytest.fixture
def file(tmp_path):
    """A robots.txt on the disk."""
    path = tmp_path / "robots.txt"
    path.write_bytes(TEXT)
    return path


def test_the_line_that_decides_is_shown(file, capsys):
    """The document names verdict, line, group, delay and sitemaps."""
    assert main(["robots", "check", "https://example.com/private/x", "--file", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "url": "https://example.com/private/x",
        "agent": "opilio",
        "allowed": False,
        "reason": "disallowed by line 3",
        "line": 3,
        "text": "Disallow: /private  # keep out",
        "group": "*",
        "crawl_delay": 5.0,
        "sitemaps": ["https://example.com/map.xml"],
        "truncated": False,
    }


def test_people_read_the_same(file, capsys):
    """Without --json the fields stand below each other."""
    assert main(["robots", "check", "https://example.com/", "--file", str(file), "--agent", "Other/1.0"]) == 0
    out = capsys.readouterr().out
    assert "allowed\tyes" in out
    assert "no line forbids it" in out


def test_standard_input_will_do(capsys, monkeypatch):
    """A hyphen reads what is piped in."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT)))
    assert main(["robots", "check", "https://example.com/private", "--file", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["line"] == 3


@pytest.mark.parametrize(
    ("url", "name", "code"),
    [
        ("https://example.com/", "missing.txt", 4),
        ("ftp://example.com/", "robots.txt", 2),
        ("https://example.com/", ".", 6),
    ],
)
def test_bad_input_is_told(file, capsys, url, name, code):
    """A missing file, a URL that cannot be fetched and a folder each have their code and remedy."""
    assert main(["robots", "check", url, "--file", str(file.parent / name), "--json"]) == code
    assert json.loads(capsys.readouterr().err)["error"]["remedy"]
