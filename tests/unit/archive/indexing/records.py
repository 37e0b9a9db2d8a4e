"""Bytes of WARC and ARC records as other programs write them."""

import gzip

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Owls</p>"
HTTP = b"application/http; msgtype=response"


def warc_record(kind=b"response", url=b"http://example.org/", block=ANSWER, content_type=HTTP, **fields):
    """A record of WARC 1.0; further fields by name, with underscores for hyphens."""
    given = {"WARC_Date": b"2026-01-01T00:00:00Z", "WARC_Record_ID": b"<urn:uuid:0>", **fields}
    lines = [b"WARC/1.0", b"WARC-Type: " + kind, b"WARC-Target-URI: " + url, b"Content-Type: " + content_type]
    lines += [name.replace("_", "-").encode() + b": " + value for name, value in given.items()]
    return b"\r\n".join([*lines, b"Content-Length: %d" % len(block), b"", block]) + b"\r\n\r\n"


def arc_record(url=b"http://example.org/", block=ANSWER, date=b"20260101000000", kind=b"text/html"):
    """A record of ARC 1."""
    return b" ".join([url, b"192.0.2.1", date, kind, b"%d" % len(block)]) + b"\n" + block + b"\n"


DESCRIPTION = arc_record(b"filedesc://x.arc", b"1 0 Library\nURL IP-address Archive-date Content-type Archive-length\n")


def packed(*records):
    """Each record a gzip member of its own."""
    return b"".join(gzip.compress(record) for record in records)
