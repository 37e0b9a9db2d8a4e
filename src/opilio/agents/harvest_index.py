"""Does the job IndexHarvest: the pages of a harvest that ended go into the working index, changed ones only."""

import re
from datetime import timedelta

from django.conf import settings

from opilio.agents.context import RunContext
from opilio.curation.harvest_folders import folder_of
from opilio.curation.harvest_jobs import IndexHarvest
from opilio.curation.queries import indexing
from opilio.kernel.errors import Conflict, Missing
from opilio.kernel.logs import logger
from opilio.works.build_index import working_index
from opilio.works.followed_crawls import FollowedCrawl
from opilio.works.search_setup import search_home
from opilio.works.working_index import WorkingIndex

_LATER = timedelta(seconds=2)  # until an index that another process writes is tried again
_NAME = re.compile(r"harvest-(\d+)")

_log = logger(__name__)


def index_harvest(payload: IndexHarvest, context: RunContext) -> None:
    """Index what changed, and take out what nobody reviews any more."""
    found = indexing.to_index(payload.harvest)
    if found is None:
        return
    folder = folder_of(found.harvest)
    if not folder.sealed():
        remedy = "Run an agent where the data of the harvest lies, or share the home folder."
        raise Missing("the result of the harvest is not here", where=str(folder.path), remedy=remedy)
    crawl = FollowedCrawl(
        name=name_of(found.harvest), folder=str(folder.path.resolve()), harvest=str(found.harvest),
        target=str(found.target), agency=str(found.agency), since=name_of(found.since) if found.since else "",
    )  # fmt: skip
    try:
        index = working_index(search_home(settings.OPILIO))
    except Conflict as busy:
        _log.info("working_index_busy", harvest=found.harvest, reason=busy.what)
        context.put_off(context.clock.now() + _LATER)
        return
    with index:
        added = index.follow(crawl)
        _forget_what_is_over(index)
    _log.info("harvest_indexed", harvest=found.harvest, pages=added)


def name_of(harvest: int) -> str:
    """How the working index calls a harvest."""
    return f"harvest-{harvest}"


def _forget_what_is_over(index: WorkingIndex) -> None:
    named = {each.name: int(match[1]) for each in index.followed.all() if (match := _NAME.fullmatch(each.name))}
    gone = indexing.over(named.values())
    for name, number in named.items():
        if number in gone:
            index.forget(name)
