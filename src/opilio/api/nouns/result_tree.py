"""The tree of a result, what pruning would come to, pruning, and the hosts that link hosts."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Literal

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.result_schemas import ResultDetail
from opilio.api.nouns.results import seen, shown
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Line, Version
from opilio.api.versions import matched_version
from opilio.crawl.outcomes import Outcome
from opilio.curation.actions.result_prune import LONGEST_NOTE, prune
from opilio.curation.queries import result_hosts, result_tree
from opilio.curation.queries.results import result
from opilio.works.prune_preview import Preview
from opilio.works.record_filters import cursor, cursor_text
from opilio.works.result_picks import MOST_PICKS, Pick
from opilio.works.result_tree_reading import Folder, Leaf

if TYPE_CHECKING:
    from opilio.curation.models import Result

router = Router(tags=["results"])
_Text = Annotated[str, Field(max_length=2_000)]
_Url = Annotated[str, Field(max_length=32_000)]
_STATUS = "^([1-9]xx|[1-9][0-9][0-9])?$"


class PickBody(Body):
    """Resources for which everything holds that is given; what is left out admits everything."""

    url: _Url = Field("", description="This URL only, in its canonical form.")
    host: Line = Field("", description="Host, with the port where it is unusual.")
    path: _Url = Field("", description="Folder of the host, with its last slash; needs the host.")
    text: _Text = Field("", description="Looked for in URLs.")
    way: Literal["text", "wildcard", "regex"] = Field("text", description="How the text is read; regex: RE2.")
    status: str = Field("", pattern=_STATUS, max_length=3, description="A status such as 404, or a class such as 4xx.")
    outcome: Outcome | Literal[""] = ""
    type: Line = Field("", description="Type as Opilio names it, such as html.")

    def pick(self) -> Pick:
        """What is meant."""
        return Pick(**{name: str(value) for name, value in self.model_dump().items()})


class TreeFilters(Schema):
    """Which part of the tree is asked for: without a filter what is directly in a folder, else all that fits below."""

    host: Line = Field("", description="Host, with the port where it is unusual; empty: the list of hosts.")
    path: _Url = Field("", description="Folder of the host, with its last slash.")
    text: _Text = Field("", description="Looked for in URLs.")
    way: Literal["text", "wildcard", "regex"] = Field("text", description="How the text is read; regex: RE2.")
    status: str = Field("", pattern=_STATUS, max_length=3, description="A status such as 404, or a class such as 4xx.")
    outcome: Outcome | Literal[""] = ""
    type: Line = ""
    limit: int = Field(100, ge=1, le=1_000, description="Folders, and resources, at most.")
    start: int = Field(0, ge=0, le=10**9, description="Folders that are passed over.")
    after: str = Field("", max_length=20, description="Cursor of further resources, as `next` told it.")


class TreeFolder(Answer):
    """A host, or a folder of one, with what is below it."""

    host: str
    path: str
    name: str
    folders: int = Field(description="Directly below.")
    own: int = Field(description="Resources directly in it.")
    resources: int = Field(description="Below, however deep.")
    bytes: int
    record_bytes: int = Field(description="Of their records in WARC files.")
    failed: int
    statuses: dict[str, int]


class TreeResource(Answer):
    """A resource of the tree."""

    number: int
    url: str
    outcome: str
    status: int | None
    type: str
    size: int
    record_bytes: int
    fetched: str | None


class TreePart(Answer):
    """A part of the tree."""

    here: TreeFolder
    folders: list[TreeFolder]
    resources: list[TreeResource]
    counted: int = Field(description="Resources that fit the filters; without one, all below the folder.")
    more_folders: bool
    next: str | None = Field(description="Cursor of further resources; null at the end.")


class PruneAsked(Body):
    """What is to be looked at before it is pruned."""

    picks: list[PickBody] = Field(min_length=1, max_length=MOST_PICKS)


class PruneBody(PruneAsked):
    """What is to be pruned, and why."""

    note: Annotated[str, Field(min_length=1, max_length=LONGEST_NOTE)]
    version: Version | None = None


class CountedResources(Answer):
    """How much some resources are."""

    resources: int
    bytes: int
    record_bytes: int


class UsingPageAnswer(Answer):
    """A page that stays, and uses something that goes."""

    url: str
    embeds: int
    links: int
    example: str


class NeededByAnswer(Answer):
    """A later harvest that keeps captures without their bodies, because this one has them."""

    harvest: Id
    captures: int
    example: str


class PruneAnswer(Answer):
    """What pruning would come to."""

    goes: CountedResources
    stays: CountedResources
    everything: bool = Field(description="Whether nothing would be left, which is refused.")
    vain: list[str] = Field(description="Picks that mean nothing in this result.")
    by_type: dict[str, int]
    by_host: dict[str, int]
    pages: list[UsingPageAnswer] = Field(description="The first pages that would break, the worst first.")
    pages_total: int
    pages_whole: bool = Field(description="False: more links lead there than were followed.")
    needed: list[NeededByAnswer]


class HostLinkAnswer(Answer):
    """Links from one host to another."""

    source: str
    target: str
    links: int
    inside: bool = Field(description="Whether the result has something of the target.")


class HostGraphAnswer(Answer):
    """Hosts that link hosts, the busiest first."""

    items: list[HostLinkAnswer]
    hosts: int
    whole: bool = Field(description="False: there are more links than were counted.")


@router.get("/{result_id}/tree", response=TreePart)
def show_result_tree(request: ApiRequest, result_id: Identifier, filters: Query[TreeFilters]) -> TreePart:
    """Show a folder of a result with what is directly in it, or all below it that fits; 503 while it is counted.

    Needs a privilege to work with what its agency collects.
    """
    row = _row(request, result_id)
    pick = Pick(
        host=filters.host, path=filters.path, text=filters.text, way=filters.way, status=filters.status,
        outcome=str(filters.outcome), type=filters.type,
    )  # fmt: skip
    after = (cursor(filters.after, 1) or (-1,))[0]
    most = filters.limit + 1
    with result_tree.opened(row, request.auth.clock.now()) as tree:
        here = tree.folder(pick.host, pick.path)
        folders = [] if pick.filtered or after >= 0 else tree.folders(here, start=filters.start, most=most)
        leaves = (
            tree.found(pick, after=after, most=most) if pick.filtered else tree.leaves(here, after=after, most=most)
        )
        counted = tree.counted(pick).resources if pick.filtered else here.resources
    return _part(here, folders, leaves, counted, filters.limit)


@router.post("/{result_id}/prune/preview", response=PruneAnswer)
def preview_result_prune(request: ApiRequest, result_id: Identifier, body: PruneAsked) -> PruneAnswer:
    """Tell what pruning would come to: what goes, what stays, which pages and harvests would miss it.

    Needs a privilege to work with what its agency collects.
    """
    row = _row(request, result_id)
    return _preview(result_tree.preview(row, [one.pick() for one in body.picks], request.auth.clock.now()))


@router.post("/{result_id}/prune", response=ResultDetail)
def prune_one_result(
    request: ApiRequest, response: HttpResponse, result_id: Identifier, body: PruneBody
) -> ResultDetail:
    """Derive a result that leaves resources out; an agent makes it. The answer is the new result.

    Needs ENDORSE_HARVEST on its harvest.
    """
    seen(request.auth, result_id)
    made = prune(
        request.auth, result_id=result_id, picks=[one.pick() for one in body.picks], note=body.note,
        version=body.version or matched_version(request),
    )  # fmt: skip
    return shown(request.auth, made.pk, response)


@router.get("/{result_id}/hosts", response=HostGraphAnswer)
def list_result_hosts(request: ApiRequest, result_id: Identifier) -> HostGraphAnswer:
    """List which hosts of a result link to which; 503 while the links of a large one are counted.

    Needs a privilege to work with what its agency collects.
    """
    graph = result_hosts.graph(_row(request, result_id), request.auth.clock.now())
    items = [HostLinkAnswer(**result_hosts.link(one), inside=one.target in graph.inside) for one in graph.links]
    return HostGraphAnswer(items=items, hosts=graph.hosts, whole=graph.whole)


def _row(request: ApiRequest, result_id: int) -> "Result":
    seen(request.auth, result_id)
    return result(request.auth, result_id)


def _part(here: Folder, folders: list[Folder], leaves: list[Leaf], counted: int, limit: int) -> TreePart:
    return TreePart(
        here=TreeFolder(**result_tree.folder(here)), counted=counted, more_folders=len(folders) > limit,
        folders=[TreeFolder(**result_tree.folder(one)) for one in folders[:limit]],
        resources=[TreeResource(**result_tree.leaf(one)) for one in leaves[:limit]],
        next=cursor_text((leaves[limit - 1].place,)) if len(leaves) > limit else None,
    )  # fmt: skip


def _preview(found: Preview) -> PruneAnswer:
    def counted(one: Any) -> CountedResources:
        return CountedResources(resources=one.resources, bytes=one.bytes, record_bytes=one.captured)

    return PruneAnswer(
        goes=counted(found.chosen), stays=counted(found.left), everything=found.everything,
        vain=[str(pick) for pick in found.vain[:100]], by_type={one.value: one.resources for one in found.types},
        by_host={one.value: one.resources for one in found.hosts},
        pages=[UsingPageAnswer(**asdict(one)) for one in found.pages], pages_total=found.pages_total,
        pages_whole=found.pages_whole, needed=[NeededByAnswer(**asdict(one)) for one in found.needed],
    )  # fmt: skip
