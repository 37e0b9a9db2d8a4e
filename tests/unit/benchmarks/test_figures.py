"""What the benchmarks make of logs and usage."""

from benchmarks import nginx, profile, visits
from benchmarks.crawl import figures
from benchmarks.frontier import figures as frontier
from benchmarks.usage import Usage
from benchmarks.visits import Visits


def usage(*, cpu=1.0, wall=2.0, rss=100_000_000, started=0.0):
    return Usage(cpu=cpu, wall=wall, rss=rss, code=0, started=started)


def seen(*pages, first=0.0, last=0.0):
    return Visits(requests=len(pages), bytes=1000, pages=frozenset(pages), first=first, last=last)


def run(name, *pages, cpu=1.0, wall=2.0):
    return figures.Run(name=name, does="", usage=usage(cpu=cpu, wall=wall), visits=seen(*pages))


def test_log_tells_the_delivered_pages(tmp_path):
    """Only HTML that was delivered is a page; each counts once, under the name of its host, however it is escaped."""
    lines = [
        "10.5\tsite01.docs.test\t/a%20b.html\t200\t100\ttext/html; charset=utf-8",
        "11.0\t127.0.1.1\t/a b.html\t200\t100\ttext/html",
        "12.0\tsite02.docs.test\t/a%20b.html\t200\t100\ttext/html",
        "13.0\tsite02.docs.test\t/gone.html\t404\t10\ttext/html",
        "14.0\tsite02.docs.test\t/x.png\t200\t7\timage/png",
    ]
    (tmp_path / "log").write_text("\n".join(lines))
    found = visits.read(tmp_path / "log", sites=2)
    assert found.pages == {"site01.docs.test/a b.html", "site02.docs.test/a b.html"}
    assert (found.requests, found.bytes, found.first, found.last) == (5, 317, 10.5, 12.0)


def test_empty_log_has_no_pages(tmp_path):
    """A crawler that asked for nothing has no pages, and no time of the first one."""
    (tmp_path / "log").write_text("")
    assert visits.read(tmp_path / "log") == Visits(requests=0, bytes=0, pages=frozenset(), first=0.0, last=0.0)


def test_ratio_is_of_cpu_per_page():
    """A peer that fetched fewer pages with the same CPU has the larger ratio, and a broken promise is marked."""
    runs = figures.best(
        [run("Opilio", "a", "b", cpu=2.0), run("Scrapy, lean", "a", cpu=3.0), run("wget", "a", cpu=9.0)]
    )
    assert [line.split("|")[8].strip() for line in figures.table(runs)[2:]] == ["1.00", "3.00", "9.00"]
    assert figures.promises(runs) == [
        "- Scrapy, lean: 3.0 times Opilio's CPU per page (wanted: 4) **not reached**",
        "- wget: 9.0 times Opilio's CPU per page (wanted: 2)",
    ]


def test_two_workers_are_compared_with_one():
    """Two workers may use a tenth more CPU per page; the ratio of the times is told."""
    runs = figures.best([run("Opilio", "a", cpu=1.0, wall=3.0), run("Opilio, 2 workers", "a", cpu=1.2, wall=2.0)])
    (line,) = figures.promises(runs)
    assert "1.20 times the CPU per page of one (at most 1.1) **not reached**" in line
    assert "1.50 times as fast" in line


def test_best_round_counts():
    """Of several rounds the one with the least CPU per page is kept, whichever came first."""
    runs = figures.best([run("wget", "a", cpu=2.0), run("wget", "a", cpu=1.0), run("wget", "a", cpu=3.0)])
    assert runs["wget"].usage.cpu == 1.0


def test_missed_pages_are_named():
    """A crawler that missed what another one found is named with examples; one that missed nothing is not."""
    lines = figures.differences(figures.best([run("Opilio", "a", "b", "c"), run("wget", "a")]), examples=1)
    assert lines == ["All together fetched 3 different HTML pages.", "- wget did not fetch 2, as b"]


def test_full_store_is_held_to_its_promises():
    """Rate, memory, size and start of the large store are each compared with what is promised."""
    few = frontier.Size(
        known=10, store=1, after=2, filled=0.0, usage=usage(), visits=seen("a", "b", last=1.0), sealing=1.0
    )  # fmt: skip
    many = frontier.Size(
        known=1_000_000, store=251_000_000, after=2, filled=0.0, usage=usage(cpu=2.0, rss=301_000_000),
        visits=seen("a", "b", first=3.5, last=4.5), sealing=2.0,
    )  # fmt: skip
    lines = frontier.promises([few, many])
    assert [line.count("**not reached**") for line in lines] == [1, 1, 1, 1]
    assert "50% of those at 10" in lines[0]
    assert [line.count("**not reached**") for line in frontier.promises([few, few])[:2]] == [0, 0]
    assert len(frontier.table([few, many])) == 4


def test_each_site_has_a_host_of_its_own(tmp_path):
    """The server's configuration has one host per site, by name and by address."""
    sites = [nginx.Site(number=number, root=tmp_path / str(number), start="/") for number in (1, 2)]
    text = nginx.configuration(sites, port=8080, folder=tmp_path, log=tmp_path / "log")
    assert text.count("server_name") == 2
    assert "listen 127.0.1.2:8080" in text
    assert "server_name site02.docs.test 127.0.1.2;" in text


def test_samples_are_counted_by_function():
    """Lines of a function are added up, waiting threads are left out, and recursion counts once for the whole time."""
    lines = [
        "thread (7);run (/x/src/opilio/a.py:1);run (/x/src/opilio/a.py:2);read (/x/site-packages/b.py:3) 5",
        "thread (7);run (/x/src/opilio/a.py:9) 2",
        "thread (8);wait (/x/c.py:1);Condition.wait (threading.py:4) 90",
    ]
    own, whole, threads = profile.count(lines)
    assert own == {"read (b.py)": 5, "run (opilio/a.py)": 2}
    assert whole == {"run (opilio/a.py)": 7, "read (b.py)": 5}
    assert threads == {"thread (7)": 7}
