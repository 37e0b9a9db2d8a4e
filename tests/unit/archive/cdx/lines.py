"""What tests of indexes share: rows of many hosts, and naive answers to compare with."""

import random
from datetime import UTC, datetime, timedelta

from opilio.archive.cdx.keys import beginning
from opilio.archive.cdxj import CdxRow, cdxj
from opilio.kernel.digests import Algorithm, digest_of

AT = datetime(2026, 1, 1, tzinfo=UTC)
HOSTS = ("example.org", "www.example.org", "a.example.org", "example.org:8080", "example-2.org", "b.a.test")
EVERYTHING = beginning("")


def row(url="http://example.org/", seconds=0, number=0, **changes):
    """A capture, changed where a test wants it."""
    given = {
        "at": AT + timedelta(seconds=seconds), "mime": "text/html", "status": 200,
        "digest": digest_of(b"%d" % number, Algorithm.SHA1), "file": "w.warc.gz", "offset": number, "length": 100,
    }  # fmt: skip
    return CdxRow(url=url, **{**given, **changes})


def some_rows(count, seed=1):
    """Captures of few URLs at many times."""
    dice = random.Random(seed)
    for number in range(count):
        path = "/".join(dice.choices(["a", "b", "news", "%C3%BC", "Z"], k=dice.randrange(4)))
        query = dice.choice(["", "", "?q=1", "?b=2&a=1"])
        yield row(f"http://{dice.choice(HOSTS)}/{path}{query}", dice.randrange(100_000), number)


def sorted_file(path, rows, digits=14):
    """A CDXJ file; its lines."""
    lines = sorted({cdxj(each, digits=digits) for each in rows})
    path.write_bytes(b"".join(lines))
    return lines


def texts(lines):
    """The texts of lines that were found."""
    return [line.text + b"\n" for line in lines]
