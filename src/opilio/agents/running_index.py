"""What an agent does every two seconds: pages of harvests that run go into the working index as they come."""

from collections.abc import Iterator, Sequence

from opilio.agents.harvest_index import crawl_of
from opilio.agents.periodic import Periodic, Turn
from opilio.curation.harvest_folders import place_of
from opilio.curation.queries import indexing
from opilio.kernel.errors import Conflict, OpilioError
from opilio.kernel.logs import logger
from opilio.works.build_index import working_index
from opilio.works.followed_crawls import FollowedCrawl
from opilio.works.search_setup import search_home
from opilio.works.working_index import unread

_EVERY = 2.0  # seconds: with the commits of the crawl and of the index, pages are found within five

_log = logger(__name__)


def follow_running_harvests(turn: Turn) -> None:
    """Let reviewers find what running harvests captured since the last turn.

    The writer is opened only when there is something to take, so that others get it in between.
    """
    home = search_home(turn.settings)
    waiting = list(_waiting(home.followed.all()))
    if not waiting or turn.should_stop():
        return
    try:
        with working_index(home) as index:
            added = index.follow_all(waiting)
    except Conflict as busy:
        _log.info("working_index_busy", harvest=int(waiting[0].harvest), reason=busy.what)
        return
    _log.info("running_harvests_indexed", count=len(waiting), pages=added)


def _waiting(followed: Sequence[FollowedCrawl]) -> Iterator[FollowedCrawl]:
    """The running harvests on this machine that have pages which are not taken yet."""
    for found in indexing.running():
        if not place_of(found.harvest).crawl.store.is_file():  # those in PostgreSQL follow when they have ended
            continue
        crawl = crawl_of(found)
        try:
            if unread(crawl, followed):
                yield crawl
        except OpilioError as error:
            _log.warning("working_index_crawl_unread", crawl=crawl.name, error=str(error))


RUNNING_CHORES: tuple[Periodic, ...] = (
    Periodic(name="follow_running_harvests", every=lambda _: _EVERY, work=follow_running_harvests),
)
