"""Fills an installation with a small institution, for tests in a browser and for the pictures in the docs.

Runs in a process of the installation, after Django was set up.
"""

from opilio.people.actions import annotations, installation, intray, users, views
from opilio.people.actions.agencies import create_agency
from opilio.people.actor import Via, system
from opilio.people.passwords import Policy
from opilio.people.privileges import Privilege
from opilio.people.queries.account import actor_for
from opilio.people.queries.people import roles

USERS = (
    ("archivist", "Archivist", "Dr"), ("curator", "Curator", "Ms"), ("reviewer", "Reviewer", "Mr"),
    ("operator", "Harvester operator", ""), ("wrangler", "Data wrangler", "Mx"), ("reader", "Reader", ""),
)  # fmt: skip
TASKS = (
    ("Confirm the permission for the harbour museum", "The letter came back signed; the scan is in the shared folder."),
    ("Look at the results of the regatta harvest", "Pictures of the second day seem to be missing."),
    ("Ask the town archive for a new contact", "E-mail to the old address is refused."),
)


def fill(password: str) -> dict[str, int]:
    """Make agencies, users, tasks and notifications by the product's own actions."""
    policy, boss = Policy(min_length=12, history=3), system()
    installation.prepare(boss)
    admin = installation.create_first_user(
        boss, agency_name="National Library", username="administrator", password=password, policy=policy,
        email="administrator@library.example",
    )  # fmt: skip
    museum = create_agency(boss, name="Harbour Museum", email="office@museum.example", time_zone="Europe/Paris")
    found = {(role.agency_id, role.name): role.id for role in roles(boss)}
    made = {}
    for username, role, title in USERS:
        made[username] = users.create_user(
            boss, username=username, agency_id=admin.agency_id, password=password, policy=policy,
            first_name=role, title=title, email=f"{username}@library.example", roles=[found[admin.agency_id, role]],
        ).id  # fmt: skip
    users.create_user(
        boss, username="museum.curator", agency_id=museum.id, password=password, policy=policy,
        first_name="Curator of the museum", email="curator@museum.example",
        roles=[found[museum.id, "Curator"], found[admin.agency_id, "Reader"]],
    )  # fmt: skip
    users.deactivate_user(boss, user_id=made["reader"])
    actor = actor_for(admin.id, via=Via.PAGE, address="127.0.0.1")
    assert actor is not None
    for subject, message in TASKS:
        intray.create_task(
            actor, subject=subject, message=message, privilege=Privilege.MANAGE_USERS, agency_id=admin.agency_id
        )
    intray.announce(
        actor, agency_id=admin.agency_id, users=[admin.id], subject="Reading room closed on Friday",
        message="The network is renewed; harvests go on.",
    )  # fmt: skip
    annotations.add_annotation(
        actor,
        kind_name="user",
        row_id=made["curator"],
        note="On leave until spring; ask the archivist.",
        alertable=True,
    )
    views.save_view(actor, page="users", name="Deactivated", query="state=deactivated", shared=True)
    return {**made, "administrator": admin.id, "library": admin.agency_id,
            "archivist-role": found[admin.agency_id, "Archivist"]}  # fmt: skip
