"""Watches the sockets of libcurl for one event loop.

libcurl says several times per exchange what it waits for. Telling the event loop each time costs more than the exchange
itself, so where the system has epoll, the loop watches one epoll descriptor, and that watches the sockets.
"""

import asyncio
import select
from collections.abc import Callable
from typing import Protocol

import pycurl

#: Called with a socket and what is ready there, as libcurl names it.
Ready = Callable[[int, int], None]


class Sockets(Protocol):
    """The sockets that somebody waits for."""

    def wait_for(self, what: int, number: int) -> None:
        """What libcurl waits for at a socket from now on: POLL_IN, POLL_OUT, POLL_INOUT or POLL_REMOVE."""
        ...

    def close(self) -> None:
        """Nobody waits any more."""
        ...


def sockets_of(loop: asyncio.AbstractEventLoop, ready: Ready) -> Sockets:
    """The quickest way that this system has."""
    return EpollSockets(loop, ready) if hasattr(select, "epoll") else LoopSockets(loop, ready)


class LoopSockets:
    """Every socket is watched by the event loop itself."""

    def __init__(self, loop: asyncio.AbstractEventLoop, ready: Ready) -> None:
        self._loop = loop
        self._ready = ready
        self._known: set[int] = set()

    def wait_for(self, what: int, number: int) -> None:
        self._loop.remove_reader(number)
        self._loop.remove_writer(number)
        self._known.discard(number)
        if what in (pycurl.POLL_IN, pycurl.POLL_INOUT):
            self._loop.add_reader(number, self._ready, number, pycurl.CSELECT_IN)
            self._known.add(number)
        if what in (pycurl.POLL_OUT, pycurl.POLL_INOUT):
            self._loop.add_writer(number, self._ready, number, pycurl.CSELECT_OUT)
            self._known.add(number)

    def close(self) -> None:
        for number in self._known:
            self._loop.remove_reader(number)
            self._loop.remove_writer(number)
        self._known.clear()


class EpollSockets:
    """One descriptor for all. A socket between two exchanges stays registered, which saves telling the system twice."""

    def __init__(self, loop: asyncio.AbstractEventLoop, ready: Ready) -> None:
        self._loop = loop
        self._ready = ready
        self._events = {
            pycurl.POLL_IN: select.EPOLLIN,
            pycurl.POLL_OUT: select.EPOLLOUT,
            pycurl.POLL_INOUT: select.EPOLLIN | select.EPOLLOUT,
        }
        self._wanted: dict[int, int] = {}  # socket → events; without those between two exchanges
        self._poll = self._opened()

    def wait_for(self, what: int, number: int) -> None:
        events = self._events.get(what, 0)
        if not events:
            self._wanted.pop(number, None)
        elif self._wanted.get(number) != events:
            self._wanted[number] = events
            self._register(number, events)

    def close(self) -> None:
        self._loop.remove_reader(self._poll.fileno())
        self._poll.close()
        self._wanted.clear()

    def _opened(self) -> select.epoll:
        poll = select.epoll()
        self._loop.add_reader(poll.fileno(), self._look)
        return poll

    def _register(self, number: int, events: int) -> None:
        """Also for a number that was closed and given to another socket: the system forgot the first one then."""
        try:
            self._poll.modify(number, events)
        except FileNotFoundError:
            self._poll.register(number, events)

    def _look(self) -> None:
        for number, events in self._poll.poll(0):
            if number not in self._wanted:
                self._forget(number)
                continue
            mask = pycurl.CSELECT_IN if events & select.EPOLLIN else 0
            mask |= pycurl.CSELECT_OUT if events & select.EPOLLOUT else 0
            if events & (select.EPOLLERR | select.EPOLLHUP):
                mask |= pycurl.CSELECT_IN | pycurl.CSELECT_ERR
            self._ready(number, mask)
            if self._poll.closed:
                return

    def _forget(self, number: int) -> None:
        """Something came at a socket that nobody waits for, as when a server closes a kept connection."""
        try:
            self._poll.unregister(number)
        except OSError:  # its number is gone, yet a copy of it elsewhere keeps it alive: begin with those that count
            self._loop.remove_reader(self._poll.fileno())
            self._poll.close()
            self._poll = self._opened()
            for wanted, events in self._wanted.items():
                self._poll.register(wanted, events)
