"""Keep views of lists."""

from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.models import SavedView

_MOST = 100


@action("view.save", "Keep a view of a list under a name.")
def save_view(act: Act, /, *, page: str, name: str, query: str, shared: bool = False) -> SavedView:
    """A view of the same name is replaced."""
    act.require_that(act.actor.user is not None, "keep views", "Sign in as a user.")
    mine = SavedView.objects.select_for_update().filter(owner_id=act.actor.user, page=page)
    row: SavedView | None = mine.filter(name=name.strip()).first()
    if row is not None:
        act.update(row, {"query": query, "shared": shared})
        return row
    if mine.count() >= _MOST:
        raise InvalidFields({"name": [f"You keep {_MOST} views of this list; delete one first."]}, where=act.name)
    return act.insert(SavedView(owner_id=act.actor.own, page=page, name=name.strip(), query=query, shared=shared))
