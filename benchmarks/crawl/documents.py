"""The real pages: documentation packages of Debian, each unpacked into a folder of the cache and served as a site."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from benchmarks import cache
from benchmarks.nginx import Site

_DOC = "usr/share/doc"
#: Package, folder in it, page where it begins; small ones first, so that a short run takes whole sites.
PACKAGES = (
    ("nodejs-doc", f"{_DOC}/nodejs/api", "/index.html"),
    ("clang-14-doc", f"{_DOC}/clang-14/html", "/index.html"),
    ("debian-handbook", f"{_DOC}/debian-handbook/html/en-US", "/index.html"),
    ("sphinx-doc", f"{_DOC}/sphinx-doc/html", "/index.html"),
    ("python-sqlalchemy-doc", f"{_DOC}/python-sqlalchemy-doc/html", "/index.html"),
    ("git-doc", f"{_DOC}/git-doc", "/index.html"),
    ("doxygen-doc", f"{_DOC}/doxygen/html", "/index.html"),
    ("libgtk-3-doc", "usr/share/gtk-doc/html", "/gtk3/index.html"),
    ("libglib2.0-doc", "usr/share/gtk-doc/html", "/gio/index.html"),
    ("maxima-doc", f"{_DOC}/maxima-doc/html", "/maxima_toc.html"),
    ("python3.11-doc", f"{_DOC}/python3.11/html", "/index.html"),
    ("python-django-doc", f"{_DOC}/python-django-doc/html", "/index.html"),
    ("sqlite3-doc", f"{_DOC}/sqlite3", "/index.html"),
    ("llvm-14-doc", f"{_DOC}/llvm-14-doc/html", "/index.html"),
    ("postgresql-doc-15", f"{_DOC}/postgresql-doc-15/html", "/index.html"),
    ("cmake-doc", f"{_DOC}/cmake-data/html", "/index.html"),
)


def sites(count: int | None = None) -> list[Site]:
    """The sites, downloaded and unpacked if they were not yet; only the first ones with a count."""
    chosen = PACKAGES[:count]
    return [
        Site(number=number, root=_unpacked(package) / inside, start=start)
        for number, (package, inside, start) in enumerate(chosen, 1)
    ]


def versions(found: Sequence[Site]) -> list[str]:
    """Package and version of each site, for the record."""
    place = cache.folder("documents")
    names = [PACKAGES[site.number - 1][0] for site in found]
    return [(place / package / "version").read_text().strip() for package in names]


def _unpacked(package: str) -> Path:
    place = cache.folder("documents") / package
    if (place / "version").exists():
        return place
    place.mkdir(exist_ok=True)
    print(f"Fetching {package} …", flush=True)
    done = subprocess.run(
        ["apt-get", "download", "-q", package], cwd=place, capture_output=True, text=True, check=False
    )
    files = sorted(place.glob("*.deb"))
    if done.returncode or not files:
        raise SystemExit(f"{package} could not be downloaded: {done.stderr.strip()}\nTry `apt-get update` first.")
    subprocess.run(["dpkg", "-x", files[-1].name, "."], cwd=place, check=True)
    (place / "version").write_text(files[-1].stem.removesuffix("_all").removesuffix("_amd64") + "\n")
    files[-1].unlink()
    return place
