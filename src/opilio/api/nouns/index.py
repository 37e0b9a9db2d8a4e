"""The index: which generation lies where, and what the next one would bring."""

from ninja import Router
from pydantic import Field

from opilio.api.found import Seconds
from opilio.api.reach import need
from opilio.api.readers import search_home
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer
from opilio.people.privileges import Privilege

router = Router(tags=["index"])


class GenerationShown(Answer):
    """A generation that is kept."""

    id: str
    made: Seconds
    documents: int = Field(description="Pages that can be found.")
    known: int = Field(description="URLs it knows, fetched or not.")
    bytes: int
    parent: str = Field(description="The generation it was grown from; empty: made anew.")
    nodes: list[str] = Field(description="That serve it.")


class NodeShown(Answer):
    """A node with what it serves."""

    name: str
    role: str
    place: str
    generation: str = Field(description="Empty: none yet.")
    since: Seconds
    behind: int = Field(description="Newer generations that it does not serve.")
    trouble: str = Field(description="Why it cannot be asked; empty: it can.")


class SourceShown(Answer):
    """A result that is searched."""

    name: str
    folder: str
    result: int | None
    change: str = Field(description="added, changed or removed since the newest generation; empty: held as it is.")
    since: Seconds


class FollowedShown(Answer):
    """A crawl that the working index follows."""

    name: str
    folder: str
    pages: int


class IndexShown(Answer):
    """Generations, nodes, sources, and the crawls that the working index follows."""

    generations: list[GenerationShown]
    nodes: list[NodeShown]
    readers: str = Field(description="The node to which readers are sent; empty: none.")
    sources: list[SourceShown]
    followed: list[FollowedShown]


@router.get("", response=IndexShown)
def show_index(request: ApiRequest) -> IndexShown:
    """Show which generation lies where, since when, and what the next one would bring.

    Needs PUBLISH_INDEX.
    """
    need(request.auth, "see the state of the index", Privilege.PUBLISH_INDEX)
    return IndexShown.from_orm(search_home().status())
