"""The crawlers that are compared, each as the command that crawls the same sites into a folder.

Those of other licences are only run, as programs of their own.
"""

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import cache

_HERE = Path(__file__).parent
#: What the Scrapy crawlers need, in an environment of their own.
SCRAPY = ("scrapy==2.19.0", "warcio==1.8.1", "selectolax==1.0.2")


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """What every crawler is given."""

    starts: Sequence[str]  # URLs
    hosts: Sequence[str]  # without ports; nothing else may be fetched
    into: Path  # an empty folder


@dataclass(frozen=True, kw_only=True, slots=True)
class Program:
    """One crawler."""

    name: str
    does: str  # what it does besides fetching, in words
    command: Callable[[Task], list[str]]
    workers: int = 1


def opilio(workers: int) -> Callable[[Task], list[str]]:
    """Robots, durable frontier, WARC, text and links: as a user starts it on a site of their own."""

    def command(task: Task) -> list[str]:
        return [
            sys.executable, "-m", "opilio", "crawl", "start", *task.starts, "--into", str(task.into / "crawl"),
            "--scope", "host", "--preset", "own-site", "--allow-private", "--no-offsite-embeds",
            "--workers", str(workers), "--json",
        ]  # fmt: skip

    return command


def scrapy(spider: str) -> Callable[[Task], list[str]]:
    """A spider of this folder, run by Scrapy's own command."""

    def command(task: Task) -> list[str]:
        return [
            str(environment("scrapy", SCRAPY) / "bin" / "python"), "-m", "scrapy", "runspider", str(_HERE / spider),
            "-a", f"starts={','.join(task.starts)}", "-a", f"hosts={','.join(task.hosts)}",
        ]  # fmt: skip

    return command


def wget(task: Task) -> list[str]:
    """A mirror with a WARC file beside it."""
    return [
        "wget", "--mirror", "--warc-file=wget", "--no-verbose", "--span-hosts", f"--domains={','.join(task.hosts)}",
        *task.starts,
    ]  # fmt: skip


def wget2(task: Task) -> list[str]:
    """A mirror; it writes no WARC. It keeps to the hosts it starts from by itself: --span-hosts would lift that."""
    return ["wget2", "--mirror", "--no-verbose", *task.starts]


def httrack(task: Task) -> list[str]:
    """A mirror without its limits of speed."""
    return [
        "httrack", *task.starts, "-O", str(task.into / "mirror"), "-*", *(f"+{host}*" for host in task.hosts),
        "--quiet", "--robots=2", "--sockets=8", "--max-rate=0", "--connection-per-second=0",
        "--disable-security-limits", "--retries=1", "--verbose",
    ]  # fmt: skip


PROGRAMS = (
    Program(name="Opilio", does="robots, durable frontier, WARC, text", command=opilio(1)),
    Program(name="Opilio, 2 workers", does="the same", command=opilio(2), workers=2),
    Program(
        name="Scrapy, as usual", does="robots, LinkExtractor, text, WARC by warcio", command=scrapy("scrapy_usual.py")
    ),
    Program(
        name="Scrapy, lean",
        does="robots, links and text by lexbor, own seen set, WARC by warcio",
        command=scrapy("scrapy_lean.py"),
    ),
    Program(name="Scrapy, bare", does="links and text by lexbor, own seen set", command=scrapy("scrapy_bare.py")),
    Program(name="wget", does="robots, mirror, WARC", command=wget),
    Program(name="wget2", does="robots, mirror", command=wget2),
    Program(name="httrack", does="robots, mirror", command=httrack),
)


def available() -> list[Program]:
    """The crawlers that this machine has; the others are named."""
    found = []
    for program in PROGRAMS:
        if shutil.which(program.name) or program.name.startswith(("Opilio", "Scrapy")):
            found.append(program)
        else:
            print(f"{program.name} is not installed and is left out.", flush=True)
    return found


def environment(name: str, requirements: Sequence[str]) -> Path:
    """A virtual environment for something else, made on first use; the project's own is not touched."""
    place = cache.folder(name) / "-".join(each.replace("==", "-") for each in requirements)
    if (place / "ready").exists():
        return place
    print(f"Installing {', '.join(requirements)} into an environment of its own …", flush=True)
    if shutil.which("uv"):
        subprocess.run(["uv", "venv", "-q", "--allow-existing", "--python", sys.executable, place], check=True)
        subprocess.run(["uv", "pip", "install", "-q", "--python", place / "bin" / "python", *requirements], check=True)
    else:
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        subprocess.run([place / "bin" / "python", "-m", "pip", "install", "-q", *requirements], check=True)
    (place / "ready").touch()
    return place
