"""Replaying the sample site by Opilio, by pywb, and by pywb behind nginx; one client, one page at a time."""

import contextlib
import http.client
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import cache
from benchmarks.archive import mark, pywb
from benchmarks.nginx import free_port
from benchmarks.usage import cores, pinned
from opilio.archive.cdx.opening import open_index
from opilio.archive.replay.archive_paths import path_of
from opilio.crawl.plan import CrawlPlan, Fetch, Manners, Preset, Scope, ScopeKind, Seed
from opilio.works.crawl_to_archive import crawl
from opilio.works.sample import SampleSite, expected

ROUNDS = int(os.environ.get("OPILIO_TEST_BENCH_ROUNDS", "5"))
WANTED = 2.0  # at most so many times the p50 of nginx and pywb
_NGINX = """
daemon off;{user} worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log warn;
events {{ worker_connections 256; }}
http {{
    access_log off; proxy_temp_path {folder}/proxy; client_body_temp_path {folder}/body;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    upstream pywb {{ server 127.0.0.1:{behind}; keepalive 8; }}
    server {{ listen 127.0.0.1:{port}; merge_slashes off; location / {{ proxy_pass http://pywb; proxy_http_version 1.1;
        proxy_set_header Connection ""; proxy_set_header Host $http_host; }} }}
}}
"""


def run() -> list[str]:
    """Measure, and say it in lines of Markdown."""
    with tempfile.TemporaryDirectory(prefix="replay-", dir=cache.folder("scratch")) as scratch:
        place = Path(scratch)
        pages = _crawled(place / "harbour")
        times = {"Opilio": _ours(place / "harbour", pages), **_theirs(place, pages)}
    return _table(times, len(pages))


def _crawled(folder: Path) -> list[tuple[str, str]]:
    """Crawl the sample site; the time and URL of each page."""
    with SampleSite() as site:
        plan = CrawlPlan(
            seeds=(Seed(url=f"{site.url}/"),), scope=Scope(kind=ScopeKind.HOST),
            manners=Manners(preset=Preset.OWN_SITE), fetch=Fetch(allow_private=("127.0.0.0/8",)),
        )  # fmt: skip
        crawl(plan, folder)
        index = open_index(folder / "index.cdxj")
        urls = [f"{site.url}{path}" for path in sorted(expected.PAGES)]
        rows = [next(row for row in index.exact(url) if row.url == url) for url in urls]
    return [(path_of(row.at, row.url)[1:15], row.url) for row in rows]


def _ours(folder: Path, pages: list[tuple[str, str]]) -> list[float]:
    command = [sys.executable, "-m", "opilio", "replay", str(folder), "--no-open", "--json"]
    process = subprocess.Popen(pinned(command, cores()[0]), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        told = json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")
        result = told["results"][0]
        headers = {"Host": result["host"], "Authorization": f"Bearer {result['token']}"}
        return _times(told["port"], pages, lambda stamp, url: (f"/{stamp}/{url}", headers))
    finally:
        process.terminate()
        process.wait()


def _theirs(place: Path, pages: list[tuple[str, str]]) -> dict[str, list[float]]:
    (place / "pywb").mkdir()
    found: dict[str, list[float]] = {}
    pin = tuple(pinned([], cores()[0]))
    with pywb.serving(place / "harbour", place / "pywb", prefix=pin) as port:
        found[pywb.PEER[0].replace("==", " ")] = _times(port, pages, _path_of_pywb)
        if _nginx() is not None:
            with _proxy(place / "nginx", port) as front:
                found["nginx + pywb"] = _times(front, pages, _path_of_pywb)
    return found


def _path_of_pywb(stamp: str, url: str) -> tuple[str, dict[str, str]]:
    return f"/{pywb.COLLECTION}/{stamp}mp_/{url}", {}


def _times(
    port: int, pages: list[tuple[str, str]], asked: Callable[[str, str], tuple[str, dict[str, str]]]
) -> list[float]:
    """Milliseconds of each page, the first round left out."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    found = []
    for number in range(ROUNDS + 1):
        for stamp, url in pages:
            path, headers = asked(stamp, url)
            begun = time.perf_counter()
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                raise SystemExit(f"{path} answered {answer.status}.")
            if number:
                found.append((time.perf_counter() - begun) * 1000)
    connection.close()
    return found


def _nginx() -> str | None:
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


@contextlib.contextmanager
def _proxy(folder: Path, behind: int) -> Iterator[int]:
    folder.mkdir()
    port = free_port()
    user = " user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(_NGINX.format(user=user, folder=folder, behind=behind, port=port))
    command = [str(_nginx()), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    process = subprocess.Popen(pinned(command, cores()[0]), stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError):
                http.client.HTTPConnection("127.0.0.1", port, timeout=1).connect()
                break
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()


def _table(times: dict[str, list[float]], pages: int) -> list[str]:
    lines = [
        f"{pages} pages of the sample site, {ROUNDS} times each, over one connection.",
        "",
        "| server | p50 ms | p95 ms |",
        "|---|---|---|",
    ]
    for name, each in times.items():
        lines.append(f"| {name} | {statistics.median(each):.1f} | {statistics.quantiles(each, n=20)[-1]:.1f} |")
    peer = times.get("nginx + pywb") or next(reversed(times.values()))
    ratio = statistics.median(times["Opilio"]) / statistics.median(peer)
    return [
        *lines,
        "",
        f"- p50 is {ratio:.2f} times that of the peer (wanted: at most {WANTED:g}){mark(ratio <= WANTED)}",
    ]
