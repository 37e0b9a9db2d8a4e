"""Watching the sockets of libcurl, by epoll and by the event loop alone."""

import asyncio
import os
import select
import socket

import pycurl
import pytest

from opilio.crawl.fetch.sockets import EpollSockets, LoopSockets, sockets_of

WAYS = [LoopSockets, *([EpollSockets] if hasattr(select, "epoll") else [])]


def watched(way, work):
    """Run `work(sockets, told)` on a loop; what was told."""

    async def run():
        told = []
        sockets = way(asyncio.get_running_loop(), lambda number, mask: told.append((number, mask)))
        try:
            await work(sockets, told)
        finally:
            sockets.close()
        return told

    return asyncio.run(run())


async def soon():
    """Let the loop look at its descriptors, several times."""
    for _ in range(5):
        await asyncio.sleep(0.005)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_waited_for_is_told_as_libcurl_names_it(way):
    """Bytes to read, room to write, and nothing of what is not waited for."""
    ours, theirs = socket.socketpair()
    with ours, theirs:

        async def work(sockets, told):
            sockets.wait_for(pycurl.POLL_IN, ours.fileno())
            await soon()
            assert told == []
            theirs.send(b"x")
            await soon()
            assert set(told) == {(ours.fileno(), pycurl.CSELECT_IN)}
            ours.recv(1)
            sockets.wait_for(pycurl.POLL_OUT, ours.fileno())
            told.clear()
            await soon()
            assert set(told) == {(ours.fileno(), pycurl.CSELECT_OUT)}

        watched(way, work)


@pytest.mark.parametrize("way", WAYS)
def test_between_two_exchanges_nothing_is_told(way):
    """A server that closes a kept connection wakes nobody, and does not keep the loop busy."""
    ours, theirs = socket.socketpair()
    with ours:

        async def work(sockets, told):
            sockets.wait_for(pycurl.POLL_IN, ours.fileno())
            sockets.wait_for(pycurl.POLL_REMOVE, ours.fileno())
            theirs.close()
            await soon()

        assert watched(way, work) == []


@pytest.mark.parametrize("way", WAYS)
def test_a_number_that_is_given_to_another_socket_is_watched_again(way):
    """libcurl closes a socket and opens another one, which may have the same number."""
    first, _far = socket.socketpair()
    second, theirs = socket.socketpair()
    with _far, second, theirs:

        async def work(sockets, told):
            number = first.fileno()
            sockets.wait_for(pycurl.POLL_IN, number)
            sockets.wait_for(pycurl.POLL_REMOVE, number)
            os.dup2(second.fileno(), number)  # closes the first one
            sockets.wait_for(pycurl.POLL_IN, number)
            theirs.send(b"x")
            await soon()
            assert set(told) == {(number, pycurl.CSELECT_IN)}
            sockets.wait_for(pycurl.POLL_REMOVE, number)

        watched(way, work)
    first.close()


@pytest.mark.skipif(not hasattr(select, "epoll"), reason="this system has no epoll")
def test_a_socket_that_lives_on_elsewhere_does_not_keep_the_loop_busy():
    """Its number is closed while a copy is open: epoll goes on telling of it until all is registered anew."""
    ours, theirs = socket.socketpair()
    other, far = socket.socketpair()
    copy = os.dup(ours.fileno())
    with theirs, other, far:

        async def work(sockets, told):
            sockets.wait_for(pycurl.POLL_IN, other.fileno())
            sockets.wait_for(pycurl.POLL_IN, ours.fileno())
            sockets.wait_for(pycurl.POLL_REMOVE, ours.fileno())
            ours.close()
            theirs.send(b"x")
            await soon()
            assert told == []
            assert sockets._poll.poll(0) == []
            far.send(b"y")
            await soon()
            assert set(told) == {(other.fileno(), pycurl.CSELECT_IN)}

        watched(EpollSockets, work)
    os.close(copy)


def test_the_quickest_way_is_chosen():
    """epoll where there is one."""

    async def run():
        sockets = sockets_of(asyncio.get_running_loop(), lambda number, mask: None)
        sockets.close()
        return type(sockets)

    assert asyncio.run(run()) is WAYS[-1]
