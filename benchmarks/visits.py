"""What a crawler asked for, read from the server's log."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from benchmarks.names import address, name


@dataclass(frozen=True, kw_only=True, slots=True)
class Visits:
    """All requests of one run."""

    requests: int
    bytes: int  # of bodies
    pages: frozenset[str]  # distinct HTML pages that were delivered, as host and path
    first: float = 0.0  # when the first page was asked for, seconds since 1970
    last: float = 0.0  # when the last one was


def read(log: Path, sites: int = 0) -> Visits:
    """Read a log; addresses of so many sites are told as their names."""
    names = {address(number): name(number) for number in range(1, sites + 1)}
    requests, size, pages, times = 0, 0, set(), []
    for line in log.read_text("utf-8", "replace").splitlines():
        moment, host, path, status, sent, kind = line.split("\t")
        requests += 1
        size += int(sent)
        if status == "200" and kind.startswith("text/html"):
            pages.add(f"{names.get(host, host)}{unquote(path)}")
            times.append(float(moment))
    return Visits(
        requests=requests, bytes=size, pages=frozenset(pages), first=min(times, default=0.0),
        last=max(times, default=0.0),
    )  # fmt: skip
