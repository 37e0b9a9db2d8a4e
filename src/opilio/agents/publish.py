"""Does the job PublishGeneration: endorsed results become the next generation, and the nodes serve it.

Killed at any step it begins again: sources are set anew, an unfinished generation is swept away, a finished one is
published, a node that serves it already is left alone.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from django.conf import settings

from opilio.agents.context import Interrupted, RunContext
from opilio.curation.access_writing import write_access_file
from opilio.curation.actions.publications import Published, end_publication, note_step
from opilio.curation.publishing import PREFIX, PublishGeneration, endorsed, sources
from opilio.curation.queries import publications
from opilio.kernel.errors import Conflict, OpilioError
from opilio.kernel.logs import logger
from opilio.people.actor import Actor, system
from opilio.works.build_index import build_generation
from opilio.works.index_sources import IndexSource, SourcesFile, opened_source
from opilio.works.publish_generation import PublishReport
from opilio.works.search_home import SearchHome
from opilio.works.search_setup import search_home

KEPT = 3  # generations
_LATER = timedelta(seconds=10)  # until an index that another process builds is tried again
_WAIT = 60.0  # seconds for another publisher
_NOTHING = "Nothing is endorsed. What was published before is closed to readers."
_FEW = 20_000  # resources that one process reads quickly enough

_log = logger(__name__)


def publish_generation(payload: PublishGeneration, context: RunContext) -> None:
    """Build and publish; what goes wrong is told on the page of publications, and readers keep what they have."""
    row = publications.under_way(payload.publication)
    if row is None:
        return
    actor = system(name="publisher", clock=context.clock)
    try:
        found = _Publishing(actor, context, row.pk, row.generation).done()
    except Interrupted:
        raise
    except Conflict as busy:
        context.progress(None, busy.what)
        context.put_off(context.clock.now() + _LATER)
        return
    except OpilioError as error:
        found = Published(failure=str(error))
    with context.finishing():
        end_publication(actor, publication_id=row.pk, found=found)
    _log.info("publication_ended", publication=row.pk, generation=found.generation, failure=found.failure)


class _Publishing:
    """One attempt."""

    def __init__(self, actor: Actor, context: RunContext, publication: int, generation: str) -> None:
        self._actor = actor
        self._context = context
        self._publication = publication
        self._generation = generation  # that an earlier attempt built
        self._home: SearchHome = search_home(settings.OPILIO)
        self._left_out: list[dict[str, str]] = []

    def done(self) -> Published:
        """What it came to."""
        results = endorsed(self._context.clock.now())
        taken = self._readable(list(sources(results)))
        write_access_file(settings.OPILIO, self._context.clock.now())
        set_sources(self._home.sources, taken)
        harvests = [int(each.harvest) for each in taken]
        before = publications.harvests_of(publications.last_done())
        found = Published(
            harvests=harvests, added=len(set(harvests) - before), dropped=len(before - set(harvests)),
            details={"results": {each.harvest: each.result for each in taken}, "left_out": self._left_out},
        )  # fmt: skip
        if not self._home.sources.all():
            return replace(found, details={**found.details, "note": _NOTHING})
        return self._served(found, self._built(sum(row.resources for row in results)))

    def _served(self, found: Published, name: str) -> Published:
        report = self._home.publishing.publish(name, keep=KEPT, wait=_WAIT)
        told = {"nodes": _nodes(report), "documents": self._documents(name), "notes": list(report.notes)}
        return replace(found, generation=name, failure=_failure(report), details={**found.details, **told})

    def _readable(self, wanted: Sequence[IndexSource]) -> list[IndexSource]:
        """Those whose files are here and whole; the others are told, and do not keep the rest from readers."""
        found = []
        for each in wanted:
            try:
                opened_source(each).close()
            except OpilioError as error:
                _log.warning("publication_source_left_out", harvest=each.harvest, error=str(error))
                self._left_out.append({"harvest": each.harvest, "why": str(error)[:500]})
            else:
                found.append(each)
        return found

    def _built(self, resources: int) -> str:
        """The generation; one that was finished before a crash is not built again."""
        if self._generation and self._generation in self._home.generations.ids():
            return self._generation
        self._note("building")
        made = build_generation(self._home, processes=1 if resources < _FEW else 0, told=self._told)
        self._note("publishing", made.id)
        return made.id

    def _note(self, state: str, generation: str = "") -> None:
        note_step(self._actor, publication_id=self._publication, state=state, generation=generation)

    def _told(self, step: str, done: int, total: int) -> None:
        self._context.check()
        self._context.progress(100 * done // total if total else None, step)

    def _documents(self, name: str) -> int:
        return self._home.generations.manifest(name).counts.get("documents", 0)


def set_sources(file: SourcesFile, wanted: Sequence[IndexSource]) -> None:
    """Let the index have exactly these harvests; crawls that an operator added stay."""
    names = {each.name for each in wanted}
    for each in file.all():
        if each.name.startswith(PREFIX) and each.harvest and each.name not in names:
            file.drop(each.name)
    if wanted:
        file.add(wanted)


def _nodes(report: PublishReport) -> list[dict[str, str]]:
    return [
        {"node": each.node, "role": str(each.role), "outcome": str(each.outcome), "error": each.error or ""}
        for each in report.nodes
    ]


def _failure(report: PublishReport) -> str:
    if report.complete:
        return ""
    told = [f"{each.node}: {each.error or each.outcome}" for each in report.nodes if each.error]
    return "Not every node serves it. " + "; ".join(told)
