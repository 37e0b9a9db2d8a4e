"""Every function that reads bytes is fuzzed: found by its signature, so that none is forgotten.

A function that takes bytes first either answers or raises an error of ours, whatever the bytes. What it needs beside
them comes from `BESIDE`, by the name of the argument; one that is not for foreign bytes is in `OWN`, with the reason.
What takes text, files or whole archives is in `test_fuzz.py` and `test_fuzz_archive.py`.

OPILIO_TEST_PROOF_SCALE multiplies the counts; OPILIO_TEST_SEED chooses the inputs.
"""

import ast
import importlib
import inspect
import random
from datetime import date
from pathlib import Path

import pytest

import opilio
from opilio.crawl.fetch.exchange import Hidden
from opilio.crawl.logins.credential import Form
from opilio.extract.charset import Charset
from opilio.extract.options import Options
from opilio.kernel.clock import SYSTEM
from opilio.kernel.errors import OpilioError
from tests.proofs.test_fuzz import _CHALLENGE, _FEED, _HEAD, _PAGE, _PLAN, _ROBOTS, _SITEMAP, _WARC, URL, mangled

INPUTS = 40  # of each function; multiplied by the scale
_ROOT = Path(opilio.__file__).parent
_PACKAGES = ("kernel", "extract", "crawl", "archive", "search", "deliveries", "works")
_MADE_FOR = (
    _PAGE, _HEAD, _ROBOTS, _SITEMAP, _FEED, _CHALLENGE, _PLAN, _WARC, b"a=1&b=%41;c", b'{"a": [1, {"b": "c"}]}',
    b"org,localhost)/ 20261117000000 http://localhost/ text/html 200 AAAA - - 100 0 f.warc.gz", b"%PDF-1.4\n1 0 obj\n",
    b"PK\x03\x04\x14\x00\x00\x00\x08\x00", b"url 2x, other 3x", b"5; url=/next", b"",
    b"d41d8cd98f00b204e9800998ecf8427e  f.zip\n",
)  # fmt: skip
#: Arguments beside the bytes, by name.
BESIDE = {
    "where": "here", "url": URL, "content_type": "text/html; charset=utf-8", "options": Options(), "clock": SYSTEM,
    "reference": bytes, "rewrite": bytes, "encoding": "utf-8", "text": "owl", "extension": "docx", "body": b"body",
    "on": date(2026, 11, 17), "charset": Charset(name="UTF-8", source="bom"), "hidden": Hidden(),
    "way": Form(page=URL, user="u", password="p"), "name": "f.zip",
}  # fmt: skip
#: Functions whose callers answer for the bytes → why.
OWN = {
    "opilio.archive.cdx.rows.take_apart": "part of parse_line, which tells its ValueError as damage",
    "opilio.search.views.varints.decoded": "part of stored views, whose readers tell its ValueError as damage",
    "opilio.extract.quick.read_quickly": "given what html_source made UTF-8; fuzzed through extract and as «page»",
    "opilio.extract.codec.lengths": "a pipe between our own processes",
    "opilio.extract.codec.resource_of": "a pipe between our own processes",
    "opilio.extract.codec.answer_of": "a pipe between our own processes",
}


def readers():
    """Public functions of the engines whose first argument is annotated as bytes, by name."""
    for package in _PACKAGES:
        for path in sorted((_ROOT / package).rglob("*.py")):
            for node in ast.parse(path.read_text("utf-8")).body:
                if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and node.args.args:
                    annotation = node.args.args[0].annotation
                    if annotation is not None and ast.unparse(annotation) == "bytes":
                        module = ".".join(path.relative_to(_ROOT.parent).with_suffix("").parts)
                        yield f"{module}.{node.name}"


READERS = tuple(readers())
pytestmark = [pytest.mark.proof, pytest.mark.only_on("sqlite"), pytest.mark.timeout(7_200)]


def function(name):
    module, _, found = name.rpartition(".")
    return getattr(importlib.import_module(module), found)


def call_of(name):
    """How a function is called with bytes alone; None when nobody said what it needs beside them."""
    found = function(name)
    needed = [one for one in list(inspect.signature(found).parameters.values())[1:] if one.default is one.empty]
    if any(one.name not in BESIDE for one in needed):
        return None
    placed = [value_of(name, one) for one in needed if one.kind is not one.KEYWORD_ONLY]
    named = {one.name: value_of(name, one) for one in needed if one.kind is one.KEYWORD_ONLY}
    return lambda data: found(data, *placed, **named)


def value_of(name, parameter):
    """Names of headers are bytes."""
    return b"set-cookie" if name.endswith("header_values") else BESIDE[parameter.name]


def test_every_reader_of_bytes_is_fuzzed():
    """A new one that needs something else beside bytes must be given it, or a reason; none is listed that is gone."""
    unsaid = [name for name in READERS if name not in OWN and call_of(name) is None]
    assert not unsaid, f"say in BESIDE what they need: {unsaid}"
    assert set(OWN) <= set(READERS)
    assert len(READERS) > 70


@pytest.mark.parametrize("name", [name for name in READERS if name not in OWN])
def test_no_bytes_bring_a_reader_down(name, proof_scale, random_number):
    """It answers, or refuses with an error that says so."""
    call, chance = call_of(name), random.Random(f"{random_number} {name}")
    for number in range(INPUTS * proof_scale):
        data = mangled(_MADE_FOR[number % len(_MADE_FOR)], chance)[: 1 << 16]
        try:
            found = call(data)
            if inspect.isgenerator(found):
                list(found)
        except OpilioError:
            continue
        except Exception as error:  # noqa: BLE001 - whatever it is, the input must be known
            pytest.fail(f"{name} raised {error!r} for {data!r:.400}")
