"""Retry-After, in seconds and as a date, proven by the server's log."""

import itertools

HOSTS = ("retry-after-seconds", "retry-after-date")


def test_a_host_that_asks_for_patience_is_left_alone_so_long(sites):
    """Not one request of any kind comes earlier, and the answer that was refused is fetched in the end."""
    patient = [f"{HOSTS[0]}/429/seconds?wait=3&nth=2", f"{HOSTS[1]}/429/date?wait=3&nth=2"]
    others = [f"{host}/page?number={number}" for host in HOSTS for number in range(3)]
    crawled = sites.crawl(*patient, *others)
    assert crawled.fetched == {*patient, *others}
    for host in HOSTS:
        entries = sites.asked(host)
        refused = next(number for number, entry in enumerate(entries) if entry.target.startswith("/429/"))
        later = [entry.at - entries[refused].answered for entry in entries[refused + 1 :]]
        assert min(later) >= 2.9
        assert [entry.target.startswith("/429/") for entry in entries].count(True) == 2


def test_without_retry_after_a_host_is_left_alone_for_the_back_off(sites):
    """Longer each time; words that mean nothing count as none."""
    start = "retry-after-nonsense/429/nonsense?nth=3"
    crawled = sites.crawl(start)
    assert crawled.fetched == {start}
    times = [entry.at for entry in sites.asked("retry-after-nonsense") if entry.target.startswith("/429/")]
    first, second = (later - earlier for earlier, later in itertools.pairwise(times))
    assert first >= 0.9
    assert second >= 1.9
