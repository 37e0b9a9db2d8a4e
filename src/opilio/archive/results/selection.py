"""Which resources of a result are meant: single URLs, those that begin so, hosts, domains, patterns, numbers.

Compared by canonical URL, so that one of two URLs with the same SURT key (http and https) can be meant.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import re2

from opilio.archive.results.values import Removed, Resource
from opilio.archive.sorting import sorted_lines
from opilio.kernel.access_where import Reach, Where
from opilio.kernel.errors import InvalidInput
from opilio.kernel.hosts import host_key
from opilio.kernel.urls import canonical

_MEMORY = 32 << 20  # bytes for sorting
_MOST = 100_000  # of each kind; more belong into prefixes or patterns


class Resources(Protocol):
    """A result, as far as resources are chosen from it."""

    def resource(self, url: str) -> Resource | None:
        """The resource of a canonical URL."""
        ...

    def numbered(self, number: int) -> Resource | None:
        """The resource with a number."""
        ...

    def resources(self) -> Iterator[Resource]:
        """All by number."""
        ...

    def by_surt(self, prefix: str = "") -> Iterator[Resource]:
        """Those whose SURT keys begin so."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """What is meant; all kinds together."""

    urls: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()  # names; with the port where it is unusual
    domains: tuple[str, ...] = ()  # a host and all below it
    patterns: tuple[str, ...] = ()  # RE2, found anywhere in the canonical URL
    numbers: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for name in ("urls", "prefixes", "hosts", "domains", "patterns", "numbers"):
            if len(getattr(self, name)) > _MOST:
                remedy = "Use prefixes, domains or patterns in place of so many."
                raise InvalidInput(f"more than {_MOST:,} {name} are named", remedy=remedy)
        self._tests()

    @property
    def empty(self) -> bool:
        """Whether nothing is meant."""
        return not any((self.urls, self.prefixes, self.hosts, self.domains, self.patterns, self.numbers))

    def notes(self) -> list[str]:
        """What was asked for, one line each."""
        kinds = {
            "URL": self.urls, "prefix": self.prefixes, "host": self.hosts, "domain": self.domains,
            "pattern": self.patterns, "number": tuple(map(str, self.numbers)),
        }  # fmt: skip
        return [f"{kind} {value}" for kind, values in kinds.items() for value in values]

    def _tests(self) -> "list[_Test]":
        """Each beginning, host, domain and pattern with the keys to look below."""
        found = [_Test(f"prefix {value}", *_beginning(value)) for value in self.prefixes]
        found += [_Test(f"host {value}", *_host(value, Reach.HOST)) for value in self.hosts]
        found += [_Test(f"domain {value}", *_host(value, Reach.DOMAIN)) for value in self.domains]
        return found + [_Test(f"pattern {value}", ("",), _pattern(value)) for value in self.patterns]


@dataclass(frozen=True, slots=True)
class _Test:
    name: str
    keys: tuple[str, ...]
    holds: Callable[[str], bool]


@dataclass(slots=True)
class Chosen:
    """Finds what is meant, and remembers what found nothing."""

    selection: Selection
    unmatched: list[str] = field(default_factory=list)

    def removed(self, view: Resources, folder: Path) -> Iterator[Removed]:
        """The resources that are meant, each once, by number; what does not fit into memory goes below `folder`."""
        lines = (f"{each.id:020d} {each.outcome}\n".encode() for each in self.resources(view))
        for line, _ in itertools.groupby(sorted_lines(lines, folder=folder, memory=_MEMORY)):
            number, _, outcome = line.decode().rstrip("\n").partition(" ")
            yield Removed(int(number), outcome)

    def resources(self, view: Resources) -> Iterator[Resource]:
        """The resources that are meant; one may come several times."""
        for url in self.selection.urls:
            yield from self._one(f"URL {url}", view.resource(canonical(url)))
        for number in self.selection.numbers:
            yield from self._one(f"number {number}", view.numbered(number))
        for test in self.selection._tests():
            yield from self._tested(test, view)

    def _one(self, name: str, found: Resource | None) -> Iterator[Resource]:
        if found is None:
            self.unmatched.append(name)
        else:
            yield found

    def _tested(self, test: _Test, view: Resources) -> Iterator[Resource]:
        none = True
        rows: Iterable[Resource] = itertools.chain.from_iterable(map(view.by_surt, test.keys))
        for resource in view.resources() if test.keys == ("",) else rows:
            if test.holds(resource.url):
                none = False
                yield resource
        if none:
            self.unmatched.append(test.name)


def _beginning(value: str) -> tuple[tuple[str, ...], Callable[[str], bool]]:
    where = Where(reach=Reach.PREFIX, value=value)
    prefix = canonical(value)
    if value.endswith("?") and "?" not in prefix:
        prefix += "?"
    return (*where.keys, *where.exact), lambda url: url.startswith(prefix)


def _host(value: str, reach: Reach) -> tuple[tuple[str, ...], Callable[[str], bool]]:
    where = Where(reach=reach, value=value)
    name = host_key(canonical(f"http://{value.removeprefix('*.')}/"))
    if reach is Reach.HOST:
        return where.keys, lambda url: host_key(url) == name
    return where.keys, lambda url: _below(urlsplit(url).hostname or "", name)


def _below(host: str, domain: str) -> bool:
    return host == domain or host.endswith(f".{domain}")


def _pattern(value: str) -> Callable[[str], bool]:
    if not value:
        raise InvalidInput("an empty pattern would mean everything", remedy="Write what is to be found in URLs.")
    options = re2.Options()
    options.log_errors = False
    try:
        found = re2.compile(value, options)
    except re2.error:
        remedy = "Write it as RE2 reads it: no look-ahead, no back-references."
        raise InvalidInput("the pattern cannot be used", where=value[:80], remedy=remedy) from None
    return lambda url: found.search(url) is not None
