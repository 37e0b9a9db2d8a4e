"""What the story of a target needs beside people: an open nomination form, a profile, a letter. Runs after `fill`."""

from opilio.curation.actions.permission_templates import create_template
from opilio.curation.actions.profiles import create_profile
from opilio.people.actions.parameters import set_parameters
from opilio.people.actor import system
from opilio.people.parameters import in_force
from opilio.people.queries.people import agencies

LETTER = "Dear {contact_name}, may {agency_name} collect {site_name}? Answer here until {answer_until}: {answer_url}"


def fill() -> None:
    """Made for the library."""
    me = system()
    version = in_force()["nominations_open"].version
    set_parameters(me, texts={"nominations_open": "true"}, versions={"nominations_open": version})
    library = agencies(me).get(name="National Library")
    create_profile(me, agency_id=library.id, name="Gentle", settings={"scope": {"kind": "host"}})
    create_template(
        me, agency_id=library.id, name="Request by e-mail", kind="Email Template", text=LETTER,
        subject="May we collect {site_name}?",
    )  # fmt: skip
