"""One timer for many who wait."""

import asyncio
import math

from opilio.crawl.fetch.alarms import Alarm


def rung(work):
    """Run `work(alarm)` on a loop; how often it rang."""

    async def run():
        count = 0

        def ring():
            nonlocal count
            count += 1

        alarm = Alarm(asyncio.get_running_loop(), ring)
        await work(alarm)
        alarm.close()
        return count

    return asyncio.run(run())


def test_it_rings_once():
    """And not again unless it is set again."""

    async def work(alarm):
        alarm.set(0.01)
        await asyncio.sleep(0.1)

    assert rung(work) == 1


def test_a_later_time_takes_the_place_of_an_earlier_one():
    """The loop wakes the alarm at the first time, and it sleeps on."""

    async def work(alarm):
        alarm.set(0.01)
        alarm.set(60)
        await asyncio.sleep(0.1)

    assert rung(work) == 0


def test_an_earlier_time_takes_the_place_of_a_later_one():
    """Said outright, or because somebody else cannot wait so long."""

    async def outright(alarm):
        alarm.set(60)
        alarm.set(0.01)
        await asyncio.sleep(0.1)

    async def beside(alarm):
        alarm.set_earlier(60)
        alarm.set_earlier(0.01)
        alarm.set_earlier(30)
        await asyncio.sleep(0.1)

    assert rung(outright) == 1
    assert rung(beside) == 1


def test_it_can_be_told_not_to_ring():
    """By an infinite time, or by closing it."""

    async def never(alarm):
        alarm.set(0.01)
        alarm.set(math.inf)
        await asyncio.sleep(0.05)

    async def closed(alarm):
        alarm.set(0.01)
        alarm.close()
        await asyncio.sleep(0.05)

    assert rung(never) == 0
    assert rung(closed) == 0


def test_it_can_be_set_while_it_rings():
    """As libcurl does, which says its next time from inside."""
    times = []

    async def run():
        loop = asyncio.get_running_loop()
        alarm = Alarm(loop, lambda: (times.append(loop.time()), len(times) < 3 and alarm.set(0.01)))
        alarm.set(0.01)
        await asyncio.sleep(0.3)
        alarm.close()

    asyncio.run(run())
    assert len(times) == 3
