"""The list of sign-in sessions, for administrators and for one's own."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet

from opilio.people.actions.sessions import revoke_session
from opilio.people.actor import Actor
from opilio.web.links import path_of
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Button, Buttons, Cell, Link, Moment, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage
from opilio.web.lists.filters import Day, Filter, States, Words
from opilio.web.requests import PageRequest

if TYPE_CHECKING:
    from opilio.people.models import SignInSession

_TONES = {"": "good", "revoked": "bad", "barred": "bad"}
_END = Bulk(
    name="end", label="End", icon="log-out", done="ended", danger=True,
    warning="Those browsers are asked to sign in again at their next request.",
    run=lambda actor, row: revoke_session(actor, sign_in_id=row.id),
)  # fmt: skip


def sign_in_page(
    request: PageRequest,
    *,
    name: str,
    path: str,
    title: str,
    intro: str,
    rows: Callable[[Actor], "QuerySet[SignInSession]"],
    with_user: bool = True,
) -> "ListPage[SignInSession]":
    """The list, with or without the column that says whose the sessions are."""
    key = str(request.session.session_key)
    columns: tuple[Column[SignInSession], ...] = (
        Column(name="user", label="User", cell=_user),
        Column(name="state", label="State", cell=lambda row: _state(row, key)),
        Column(name="since", label="Signed in", cell=lambda row: Moment(at=row.signed_in_at), sort="signed_in_at"),
        Column(name="seen", label="Last seen", cell=lambda row: Moment(at=row.last_seen_at)),
        Column(name="until", label="Ended", cell=lambda row: Moment(at=row.signed_out_at)),
        Column(name="lasted", label="Lasted", cell=lambda row: Text(text=_lasted(row.duration_seconds))),
        Column(name="method", label="By", cell=lambda row: Text(text=row.method, quiet=True)),
        Column(name="address", label="Address", cell=lambda row: Text(text=row.address, code=True)),
        Column(name="agent", label="Browser", cell=lambda row: Text(text=row.user_agent, quiet=True), shown=False),
        Column(name="end", label="", cell=_buttons, exported=False),
    )
    return ListPage(
        name=name, path=path, title=title, intro=intro, words=("session", "sessions"), rows=rows,
        columns=columns if with_user else columns[1:], order=("-signed_in_at", "-id"), filters=_filters(with_user),
        bulk=(_END,), empty=Empty(title="No session", text="Nobody has signed in yet.", icon="monitor-smartphone"),
    )  # fmt: skip


def _filters(with_user: bool) -> tuple[Filter, ...]:
    state = States(
        name="state", label="State",
        states={"open": ("Open", Q(ended="")), "ended": ("Ended", ~Q(ended=""))},
    )  # fmt: skip
    days = (
        Day(name="from", label="From", column="signed_in_at"),
        Day(name="to", label="To", column="signed_in_at", until=True),
    )
    return (Words(columns=("username", "real_name", "address")), state, *days) if with_user else (state, *days)


def _user(row: "SignInSession") -> Cell:
    return Link(text=row.username, url=path_of("user", row.user_id), note=row.real_name)


def _state(row: "SignInSession", key: str) -> Cell:
    if not row.ended and row.session_key == key:
        return Badge(text="this browser", tone="info")
    return Badge(text=row.ended or "open", tone=_TONES.get(row.ended, "quiet"))


def _buttons(row: "SignInSession") -> Cell:
    end = Button(label="End", url=f"/sessions/{row.id}/end", icon="log-out")
    return Buttons(buttons=() if row.ended else (end,))


def _lasted(seconds: int | None) -> str:
    if seconds is None:
        return "–"
    hours, rest = divmod(seconds, 3600)
    return f"{hours} h {rest // 60} min" if hours else f"{rest // 60} min" if rest >= 60 else f"{rest} s"
