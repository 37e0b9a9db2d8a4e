"""A chain of results reads as one: always what a plain model of it holds."""

import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from opilio.archive.cdxj import CdxFile
from opilio.archive.results.undoing import undo
from opilio.archive.results.view import ResultView
from opilio.kernel.surt import surt
from tests.unit.archive.derived import AT, Model, Page, derived, first_result

HOSTS = ("a.example", "b.example", "www.a.example")
URLS = tuple(f"{scheme}://{host}/{path}" for scheme in ("http", "https") for host in HOSTS for path in ("", "x", "x/y"))
PAGES = st.builds(
    Page,
    url=st.sampled_from(URLS),
    title=st.sampled_from(["Owls", "Larks"]),
    links=st.lists(st.sampled_from(URLS), max_size=4).map(tuple),
    text=st.sampled_from(["", "about owls", "about larks"]),
    outcome=st.sampled_from(["fetched", "gone"]),
)
SOME = st.lists(PAGES, min_size=1, max_size=6, unique_by=lambda page: page.url)
STEPS = st.one_of(
    st.tuples(st.just("host"), st.sampled_from(HOSTS)),
    st.tuples(st.just("url"), st.sampled_from(URLS)),
    st.tuples(st.just("prefix"), st.sampled_from(URLS)),
    st.tuples(st.just("add"), SOME),
    st.tuples(st.just("undo"), st.none()),
)


def check(results, number, model):
    """The view, and the index beside it, hold exactly what the model holds."""
    with ResultView(results, number) as view:
        rows = list(view.resources())
        numbers = {row.url: row.id for row in rows}
        assert {row.url: row.title for row in rows} == {url: page.title for url, page in model.pages.items()}
        assert len(rows) == len(numbers) == len(model.pages)
        assert [row.id for row in rows] == sorted(row.id for row in rows)
        assert [row.url for row in view.by_surt()] == sorted(numbers, key=lambda url: (surt(url), numbers[url]))
        below = [row.url for row in view.by_surt("example,a)/x")]
        assert sorted(below) == sorted(url for url in numbers if surt(url).startswith("example,a)/x"))
        assert view.outcomes() == dict(Counter(page.outcome for page in model.pages.values()))
        assert {digest: text for digest, _, text in view.texts()} == model.texts()
        for url in URLS:
            found = view.resource(url)
            assert (found.url if found else None) == (url if url in model.pages else None)
        for url, page in model.pages.items():
            found = view.resource(url)
            assert view.numbered(found.id) == view.keyed(found.key) == found
            assert view.host(found.key[0]).name in url
            assert [link.url for link in view.outlinks(found.id)] == list(page.links)
            assert {view.numbered(each).url for each in view.inlinks(found.id)} == model.inlinks(url)
            assert (view.text(found.digest) or "") == page.text
        linking = {number: [link.url for link in links] for number, links in view.all_outlinks()}
        assert linking == {numbers[url]: list(page.links) for url, page in model.pages.items() if page.links}
    if number != 1:
        assert sorted(row.url for row in CdxFile(results.index(number)).prefix("")) == sorted(model.pages)


@settings(max_examples=20, phases=[Phase.explicit, Phase.generate], suppress_health_check=[HealthCheck.too_slow])
@given(SOME, st.lists(STEPS, max_size=4))
def test_a_chain_is_what_a_model_says(pages, steps):
    """After any prunes, patches and undoings, every way of reading gives what the model has."""
    with tempfile.TemporaryDirectory() as folder:
        results = first_result(Path(folder) / "crawl", pages)
        models = {1: Model({page.url: page for page in pages})}
        chain = [1]
        for place, (what, value) in enumerate(steps):
            step(results, models, chain, what, value, place)
        for number in chain:
            check(results, number, models[number])
        assert results.numbers() == chain


def step(results, models, chain, what, value, place):
    now = models[chain[-1]]
    if what == "undo":
        if len(chain) > 1:
            undo(results, why="a test", by="curator", at=AT)
            del models[chain.pop()]
        return
    if what == "add":
        made = derived(results, pages=value, name=f"{place}.warc.gz")
        models[made.number] = now.added(value)
    else:
        keep = {
            "host": lambda url: url.split("/")[2] != value,
            "url": lambda url: url != value,
            "prefix": lambda url: not url.startswith(value),
        }[what]
        after = now.removed(keep)
        if after == now:
            return
        made = derived(results, **{{"host": "hosts", "url": "urls", "prefix": "prefixes"}[what]: (value,)})
        models[made.number] = after
        assert made.removed == len(now.pages) - len(after.pages)
    chain.append(made.number)
