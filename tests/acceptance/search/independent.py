"""The nine tables of the indexer's database scheme, counted by other means: straight from the result of a crawl."""

import unicodedata
from collections import Counter, defaultdict
from email.utils import parsedate_to_datetime

from opilio.archive.results.reader import ResultReader
from opilio.kernel.capture import Hop

FINDABLE = {"fetched", "unchanged", "duplicate"}
READ = {"html", "text", "pdf", "feed", "xml", "office", "json"}
NEVER = "Thu Jan 01 00:00:00 UTC 1970"
ENDINGS = ("s", "t", "d", "m", "re", "ve", "ll")


def words_of(text):
    """Words by looking at each character in turn."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).replace("’", "'")
    runs, current = [], ""
    for sign in f"{folded} ":
        if sign.isalnum() or (current and unicodedata.category(sign).startswith("M")):
            current += sign
        elif sign == "'" and current:
            runs.append(current + "'")
            current = ""
        elif current:
            runs.append(current)
            current = ""
        else:
            runs.append("")  # something stood between
    return _with_endings(runs)


def _with_endings(runs):
    found, joined = [], False
    for run in runs:
        bare = run.rstrip("'")
        if joined and bare in ENDINGS and not run.endswith("'"):
            found[-1] += f"'{bare}"
        elif bare:
            found.append(bare)
        joined = run.endswith("'")
    return found


class Tables:
    """The tables by name: key → value, as text."""

    def __init__(self, path, stop_words):
        with ResultReader(path) as reader:
            self.resources = list(reader.resources())
            texts = {each.digest: reader.text(each.digest) for each in self.resources if each.digest}
            links = {each.url: reader.outlinks(each.id) for each in self.resources}
        self.fetched = [
            each for each in self.resources
            if each.outcome in FINDABLE and each.type in READ and texts.get(each.digest)
        ]  # fmt: skip
        self.words = {each.url: words_of(each.title) + words_of(texts[each.digest]) for each in self.fetched}
        self.stops = {each.url: stop_words(each.language) for each in self.fetched}
        self.children = {
            each.url: Counter({
                link.url: link.times for link in links[each.url]
                if link.hop is Hop.LINK and link.kind.partition(".")[0] in ("a", "area")
            })
            for each in self.fetched
        }  # fmt: skip

    @property
    def urls(self):
        """Every URL that was met."""
        return {each.url for each in self.resources} | {url for found in self.children.values() for url in found}

    def times(self):
        """When each page changed last, as the server said."""
        told = {each.url: each.last_modified for each in self.fetched}
        return {url: _shown(told.get(url, "")) for url in self.urls}

    def counted(self):
        """How often each word stands on each page; all stop words are one."""
        return {
            url: Counter("" if word in self.stops[url] else word for word in found) for url, found in self.words.items()
        }

    def parents(self):
        """The pages that lead to each."""
        found = defaultdict(set)
        for url, children in self.children.items():
            for child in children:
                found[child].add(url)
        return found


def _shown(header):
    if not header:
        return NEVER
    return parsedate_to_datetime(header).strftime("%a %b %d %H:%M:%S UTC %Y")
