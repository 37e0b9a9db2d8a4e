"""The table of who may do what: for each action, which scope of its privilege reaches which objects.

An action without a row here, or in one of the tables of curation beside it, fails the test.
"""

import datetime
from typing import Any

from opilio.people.actions import (
    account,
    agencies,
    annotations,
    intray,
    lists,
    parameters,
    roles,
    rows,
    sessions,
    signin,
    users,
    views,
)
from opilio.people.actions.installation import create_first_user, prepare
from opilio.people.actions.user_import import ImportRow, import_users
from opilio.people.directories import Verdict
from opilio.people.intray import notify, send_task
from opilio.people.models import Notification, SignInSession
from opilio.people.models.intray import Category
from opilio.people.privileges import Privilege
from opilio.people.throttle import Rules
from tests.people import PASSWORD, POLICY
from tests.permissions import (
    rules_access,
    rules_bulk,
    rules_care,
    rules_deliveries,
    rules_deposits,
    rules_groups,
    rules_harvests,
    rules_looking,
    rules_profiles,
    rules_quality,
    rules_results,
    rules_rights,
    rules_targets,
    rules_tools,
    rules_webhooks,
)
from tests.permissions.table import AGENCY, ALL, OWNER, PLAIN, Place, Rule, agency_wide, open_to, system_wide

NEW_PASSWORD = "entirely different secret"


def _session(place: Place) -> SignInSession:
    return signin.open_session(
        place.town.system,
        user_id=place.user.id,
        session_key=f"key{place.user.id}",
        method="password",
        address="",
        user_agent="",
    )


def _token(place: Place) -> Any:
    held = place.town.role({Privilege.MODIFY_OWN_CREDENTIALS: PLAIN}, agency=place.agency)
    now = place.town.clock.now()
    users.set_roles(place.town.system, user_id=place.user.id, roles=[*_held(place), held.id])
    day = datetime.timedelta(days=1)
    token, _ = account.create_token(
        place.town.actor(place.user), name="for a script", scopes=[], expires=now + day, longest=day
    )
    return token


def _held(place: Place) -> list[int]:
    return [row.role_id for row in place.user.held_roles.all()]


def _task(place: Place, privilege: Privilege = Privilege.LOGIN) -> Any:
    return send_task(
        place.town.system, kind="try", subject="Look", message="", privilege=privilege, agency=place.agency.id
    )


def _claimed(place: Place) -> Any:
    task = _task(place)
    return intray.claim_task(place.town.actor(place.user), task_id=task.id)


def _notification(place: Place) -> Notification:
    notify(
        [place.user.id],
        kind="try",
        category=Category.GENERAL,
        subject="News",
        message="",
        sender="",
        now=place.town.clock.now(),
    )
    return Notification.objects.get(user=place.user)


def _touched(count: int) -> None:
    """Actions on a set leave others' rows alone; here that counts as refused."""
    if count == 0:
        raise PermissionError


def _role(place: Place) -> Any:
    return place.town.role({}, agency=place.agency)


def _deleted_role(place: Place) -> Any:
    return rows.delete_row(place.town.system, kind_name="role", row_id=_role(place).id)


def _note(place: Place) -> Any:
    manages = place.town.role({Privilege.MANAGE_USERS: ALL}, agency=place.agency)
    users.set_roles(place.town.system, user_id=place.user.id, roles=[*_held(place), manages.id])
    author = place.town.actor(place.user)
    return annotations.add_annotation(author, kind_name="user", row_id=place.user.id, note="Remember.")


def _entry(place: Place) -> Any:
    return lists.create_list_entry(place.town.system, list_name="user-title", value="Sir")


def _user_fields(place: Place) -> dict[str, Any]:
    place.user.refresh_from_db()
    return {"user_id": place.user.id, "version": place.user.version}


class Willing:
    """A directory that knows everybody."""

    name = "ldap"

    def check(self, username: str, password: str) -> Verdict:
        return Verdict.RIGHT


MANAGE_USERS = Privilege.MANAGE_USERS

RULES: dict[str, Rule] = {
    "agency.create": Rule(
        privilege=Privilege.MANAGE_AGENCIES, objects="other", reach={ALL: "other", AGENCY: "", None: ""},
        call=lambda actor, place: agencies.create_agency(actor, name="New"),
    ),
    "agency.update": agency_wide(
        Privilege.MANAGE_AGENCIES,
        lambda actor, place: agencies.update_agency(actor, agency_id=place.agency.id, version=1, phone="1"),
    ),
    "role.create": agency_wide(
        Privilege.MANAGE_ROLES,
        lambda actor, place: roles.create_role(actor, agency_id=place.agency.id, name="New", privileges={}),
    ),
    "role.update": agency_wide(
        Privilege.MANAGE_ROLES,
        lambda actor, place: roles.update_role(
            actor, role_id=_role(place).id, version=1, name="Renamed", privileges={}
        ),
    ),
    "user.create": agency_wide(
        MANAGE_USERS,
        lambda actor, place: users.create_user(
            actor, username="newcomer", agency_id=place.agency.id, password=PASSWORD, policy=POLICY
        ),
    ),
    "user.update": agency_wide(
        MANAGE_USERS, lambda actor, place: users.update_user(actor, **_user_fields(place), phone="1")
    ),
    "user.set_roles": agency_wide(
        MANAGE_USERS,
        lambda actor, place: users.set_roles(actor, user_id=place.user.id, roles=[*_held(place), _role(place).id]),
    ),
    "user.deactivate": agency_wide(
        MANAGE_USERS, lambda actor, place: users.deactivate_user(actor, user_id=place.user.id), objects="same other"
    ),
    "user.activate": agency_wide(
        MANAGE_USERS, lambda actor, place: users.activate_user(actor, user_id=place.user.id), objects="same other"
    ),
    "user.reset_password": agency_wide(
        MANAGE_USERS,
        lambda actor, place: account.reset_password(actor, user_id=place.user.id, new=NEW_PASSWORD, policy=POLICY),
    ),
    "user.import": agency_wide(
        MANAGE_USERS,
        lambda actor, place: import_users(
            actor,
            rows=[ImportRow(place="line 2", values={"username": "newcomer", "agency": place.agency.name})],
            policy=POLICY,
            new_password=lambda: PASSWORD,
        ),
    ),
    "session.revoke": Rule(
        privilege=MANAGE_USERS, reach={ALL: "own same other", AGENCY: "own same", None: "own"},
        call=lambda actor, place: sessions.revoke_session(actor, sign_in_id=_session(place).id),
    ),
    "token.revoke": Rule(
        privilege=MANAGE_USERS, reach={ALL: "own same other", AGENCY: "own same", None: "own"},
        call=lambda actor, place: account.revoke_token(actor, token_id=_token(place).id),
    ),
    "account.update": Rule(
        privilege=Privilege.MODIFY_OWN_CREDENTIALS, objects="own", reach={PLAIN: "own", None: ""},
        call=lambda actor, place: account.update_account(actor, version=_user_fields(place)["version"], phone="1"),
    ),
    "account.language": open_to(lambda actor, place: account.choose_language(actor, language="de"), "own", "own"),
    "account.password": Rule(
        privilege=Privilege.MODIFY_OWN_CREDENTIALS, objects="own", reach={PLAIN: "own", None: ""},
        call=lambda actor, place: account.change_own_password(actor, old=PASSWORD, new=NEW_PASSWORD, policy=POLICY),
    ),
    "token.create": Rule(
        privilege=Privilege.MODIFY_OWN_CREDENTIALS, objects="own", reach={PLAIN: "own", None: ""},
        call=lambda actor, place: account.create_token(
            actor, name="t", scopes=[], expires=actor.clock.now() + datetime.timedelta(hours=1),
            longest=datetime.timedelta(days=1),
        ),
    ),
    "task.send": agency_wide(
        MANAGE_USERS,
        lambda actor, place: intray.create_task(
            actor, subject="Look", message="", privilege=Privilege.LOGIN, agency_id=place.agency.id
        ),
    ),
    "task.delete": agency_wide(
        Privilege.DELETE_TASK, lambda actor, place: intray.delete_task(actor, task_id=_task(place).id)
    ),
    "task.claim": Rule(
        privilege=Privilege.ENDORSE_HARVEST,
        reach={ALL: "own same other", AGENCY: "own same", OWNER: "own same", None: ""},
        call=lambda actor, place: intray.claim_task(
            actor, task_id=_task(place, Privilege.ENDORSE_HARVEST).id
        ),
    ),
    "task.release": open_to(lambda actor, place: intray.release_task(actor, task_id=_claimed(place).id), "own"),
    "task.complete": open_to(lambda actor, place: intray.complete_task(actor, task_id=_claimed(place).id), "own"),
    "notification.read": open_to(
        lambda actor, place: _touched(
            intray.read_notifications(actor, notification_ids=[_notification(place).id])
        ),
        "own",
    ),
    "notification.delete": open_to(
        lambda actor, place: _touched(
            intray.delete_notifications(actor, notification_ids=[_notification(place).id])
        ),
        "own",
    ),
    "notification.send": agency_wide(
        MANAGE_USERS,
        lambda actor, place: intray.announce(
            actor, agency_id=place.agency.id, users=[place.user.id], subject="News", message=""
        ),
    ),
    "row.delete": agency_wide(
        Privilege.MANAGE_ROLES,
        lambda actor, place: rows.delete_row(actor, kind_name="role", row_id=_role(place).id),
    ),
    "row.restore": agency_wide(
        Privilege.MANAGE_ROLES,
        lambda actor, place: rows.restore_row(actor, kind_name="role", row_id=_deleted_role(place).id),
    ),
    "annotation.add": agency_wide(
        MANAGE_USERS,
        lambda actor, place: annotations.add_annotation(
            actor, kind_name="user", row_id=place.user.id, note="Remember."
        ),
    ),
    "annotation.edit": open_to(
        lambda actor, place: annotations.edit_annotation(
            actor, annotation_id=_note(place).id, version=1, note="Reworded.", alertable=True
        ),
        "own",
    ),
    "list_entry.create": system_wide(
        lambda actor, place: lists.create_list_entry(actor, list_name="user-title", value="Sir")
    ),
    "list_entry.update": system_wide(
        lambda actor, place: lists.update_list_entry(
            actor, entry_id=_entry(place).id, version=1, label="Sir!", position=3, active=False
        )
    ),
    "parameter.set": system_wide(
        lambda actor, place: parameters.set_parameters(
            actor, texts={"institution": "Town"}, versions={"institution": 1}
        )
    ),
    "parameter.reset": system_wide(
        lambda actor, place: parameters.reset_parameter(actor, name=place.town.parameter("institution", "Town").name)
    ),
    "view.save": open_to(
        lambda actor, place: views.save_view(actor, page="users", name="Mine", query=""), "own", objects="own"
    ),
    "installation.prepare": system_wide(lambda actor, place: prepare(actor)),
    "installation.first_user": open_to(
        lambda actor, place: create_first_user(
            actor, agency_name="Library", username="root", password=PASSWORD, policy=POLICY
        ),
        "", objects="own",
    ),
    "signin.attempt": open_to(
        lambda actor, place: signin.attempt_sign_in(
            actor,
            attempt=signin.Attempt(username=place.user.username, password=PASSWORD, address="::1"),
            rules=Rules(free_failures=5, first_delay=1, max_delay=2), directory=Willing(),
        ),
        "own", objects="own",
    ),
    "signin.external": open_to(
        lambda actor, place: signin.admit_external(actor, username=place.user.username, address="::1"),
        "own", objects="own",
    ),
    "signin.open": open_to(lambda actor, place: _session(place), "own", objects="own"),
    "signin.see": open_to(
        lambda actor, place: signin.see_session(
            actor, session_key=_session(place).session_key, idle=datetime.timedelta(1), longest=datetime.timedelta(1)
        ),
        "own", objects="own",
    ),
    "signin.close": open_to(
        lambda actor, place: signin.close_session(actor, session_key=_session(place).session_key), "own"
    ),
    **rules_rights.RULES,
    **rules_targets.RULES,
    **rules_groups.RULES,
    **rules_harvests.RULES,
    **rules_results.RULES,
    **rules_tools.RULES,
    **rules_looking.RULES,
    **rules_deposits.RULES,
    **rules_profiles.RULES,
    **rules_quality.RULES,
    **rules_bulk.RULES,
    **rules_care.RULES,
    **rules_deliveries.RULES,
    **rules_webhooks.RULES,
    **rules_access.RULES,
}  # fmt: skip
