"""Does the job IndexHarvest: the pages of a harvest that ended go into the working index, changed ones only."""

from datetime import timedelta

from django.conf import settings

from opilio.agents.context import RunContext
from opilio.agents.result_files import ready_for_review
from opilio.curation.harvest_folders import folder_of
from opilio.curation.harvest_jobs import IndexHarvest
from opilio.curation.queries import indexing
from opilio.kernel.errors import Conflict, Missing
from opilio.kernel.logs import logger
from opilio.works.build_index import working_index
from opilio.works.followed_crawls import FollowedCrawl, followed_file
from opilio.works.search_setup import search_home
from opilio.works.working_index import WorkingIndex

_LATER = timedelta(seconds=2)  # until an index that another process writes is tried again

_log = logger(__name__)


def index_harvest(payload: IndexHarvest, context: RunContext) -> None:
    """Index what changed; what nobody reviews any more goes, by this or by a chore."""
    found = indexing.to_index(payload.harvest)
    if found is None:
        _leave_out(payload.harvest, context)
        return
    folder = folder_of(found.harvest)
    if not folder.sealed():
        remedy = "Run an agent where the data of the harvest lies, or share the home folder."
        raise Missing("the result of the harvest is not here", where=str(folder.path), remedy=remedy)
    index = _opened(found.harvest, context)
    if index is None:
        return
    with index:
        added = index.follow(crawl_of(found))
    _log.info("harvest_indexed", harvest=found.harvest, pages=added)
    ready_for_review(found.harvest, context.clock)


def crawl_of(found: indexing.Indexed) -> FollowedCrawl:
    """A harvest as the working index follows it."""
    return FollowedCrawl(
        name=name_of(found.harvest), folder=str(folder_of(found.harvest).path.resolve()), harvest=str(found.harvest),
        target=str(found.target), agency=str(found.agency), since=name_of(found.since) if found.since else "",
    )  # fmt: skip


def name_of(harvest: int) -> str:
    """How the working index calls a harvest."""
    return f"harvest-{harvest}"


def _opened(harvest: int, context: RunContext) -> WorkingIndex | None:
    """The working index; None when another process writes it, and the job is put off."""
    try:
        return working_index(search_home(settings.OPILIO))
    except Conflict as busy:
        _log.info("working_index_busy", harvest=harvest, reason=busy.what)
        context.put_off(context.clock.now() + _LATER)
        return None


def _leave_out(harvest: int, context: RunContext) -> None:
    """Nobody reviews it any more: it was rejected or archived. Its pages go."""
    followed = followed_file(search_home(settings.OPILIO).working_folder).all()
    if not any(each.name == name_of(harvest) for each in followed):
        return
    index = _opened(harvest, context)
    if index is not None:
        with index:
            index.forget(name_of(harvest))
