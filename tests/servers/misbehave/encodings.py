"""Pages with a Content-Encoding: right, unusual and wrong."""

import gzip
import zlib

import brotli
import zstandard

from tests.servers.answers import Response
from tests.servers.behaviour import Behaviour, Visit

BODY = b"<!DOCTYPE html><title>Encoded</title><p>" + b"Chaff and grain, chaff and grain. " * 50 + b"</p>"


def _coded(body: bytes, coding: str) -> Response:
    return Response(body=body, headers=(("Content-Encoding", coding), ("Vary", "Accept-Encoding")))


def as_gzip(_: Visit) -> Response:
    """A page in gzip, whatever the client accepts."""
    return _coded(gzip.compress(BODY, mtime=0), "gzip")


def as_brotli(_: Visit) -> Response:
    """A page in brotli."""
    return _coded(brotli.compress(BODY), "br")


def as_zstd(_: Visit) -> Response:
    """A page in zstd."""
    return _coded(zstandard.compress(BODY), "zstd")


def as_deflate(_: Visit) -> Response:
    """A page in deflate with the zlib frame, as RFC 9110 wants it."""
    return _coded(zlib.compress(BODY), "deflate")


def as_raw_deflate(_: Visit) -> Response:
    """A page in bare deflate, as some servers send it."""
    press = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return _coded(press.compress(BODY) + press.flush(), "deflate")


def mislabelled(_: Visit) -> Response:
    """Says gzip, is plain."""
    return _coded(BODY, "gzip")


def cut_gzip(_: Visit) -> Response:
    """A gzip body that stops in the middle; its Content-Length is right."""
    body = gzip.compress(BODY, mtime=0)
    return _coded(body[: len(body) // 2], "gzip")


def unknown(_: Visit) -> Response:
    """A Content-Encoding that nobody knows."""
    return _coded(BODY, "sheaf")


def negotiated(visit: Visit) -> Response:
    """gzip if the client accepts it, else plain."""
    if "gzip" in (visit.request.header("Accept-Encoding") or ""):
        return as_gzip(visit)
    return Response(body=BODY, headers=(("Vary", "Accept-Encoding"),))


BEHAVIOURS = (
    Behaviour(name="gzip", path="/encoded/gzip", answer=as_gzip),
    Behaviour(name="br", path="/encoded/br", answer=as_brotli),
    Behaviour(name="zstd", path="/encoded/zstd", answer=as_zstd),
    Behaviour(name="deflate", path="/encoded/deflate", answer=as_deflate),
    Behaviour(name="raw-deflate", path="/encoded/raw-deflate", answer=as_raw_deflate),
    Behaviour(name="mislabelled-gzip", path="/encoded/mislabelled", answer=mislabelled),
    Behaviour(name="cut-gzip", path="/encoded/cut", answer=cut_gzip),
    Behaviour(name="unknown-encoding", path="/encoded/unknown", answer=unknown),
    Behaviour(name="negotiated-gzip", path="/encoded/negotiated", answer=negotiated),
)
