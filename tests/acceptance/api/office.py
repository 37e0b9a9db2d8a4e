"""Two agencies with people in them, and programs that call the API for them."""

import datetime
import json

from django.test import Client

from opilio.kernel.clock import SYSTEM, ManualClock
from opilio.people.actions.account import create_token
from opilio.people.actions.installation import create_first_user, prepare
from opilio.people.actor import Via
from opilio.people.privileges import Privilege, Scope
from opilio.people.queries.account import actor_for
from tests.people import PASSWORD, POLICY, Town

BASE = "/api/v1"
YEAR = datetime.timedelta(days=365)
OWN = {Privilege.LOGIN: Scope.NONE, Privilege.MODIFY_OWN_CREDENTIALS: Scope.NONE}


class Caller:
    """A program that calls the API with a token, or with none."""

    def __init__(self, secret="", *, user=None):
        self.secret, self.user = secret, user
        self._client = Client(headers={"Authorization": f"Bearer {secret}"} if secret else {})

    def get(self, path, **query):
        return self._client.get(f"{BASE}{path}", query)

    def send(self, method, path, body=None, **headers):
        data = b"" if body is None else json.dumps(body).encode()
        return self._client.generic(method, f"{BASE}{path}", data, "application/json", headers=headers)

    def post(self, path, body=None, **headers):
        return self.send("POST", path, body, **headers)

    def patch(self, path, body=None, **headers):
        return self.send("PATCH", path, body, **headers)

    def put(self, path, body=None, **headers):
        return self.send("PUT", path, body, **headers)

    def delete(self, path, **headers):
        return self.send("DELETE", path, **headers)

    def raw(self, method, path, data, content_type="application/json", **headers):
        return self._client.generic(method, f"{BASE}{path}", data, content_type, headers=headers)


class Office:
    """Two agencies, and tokens for the people in them."""

    def __init__(self, *, with_roles=False):
        self.town = Town(with_roles=with_roles)
        self.library, self.museum = self.town.library, self.town.museum

    def user(self, username=None, *, agency=None, privileges=None, **fields):
        return self.town.user(username, agency=agency, privileges={**OWN, **(privileges or {})}, **fields)

    def secret(self, user, *, scopes=None, clock=SYSTEM):
        """The secret of a new token; its scopes are all that the user holds, unless told otherwise."""
        actor = actor_for(user.id, via=Via.PAGE, clock=clock)
        held = sorted({grant.privilege.value for grant in actor.grants})
        wanted = held if scopes is None else [code.value for code in scopes]
        expires = clock.now() + datetime.timedelta(days=30)
        return create_token(actor, name="test", scopes=wanted, expires=expires, longest=YEAR)[1]

    def caller(self, user=None, *, scopes=None, **made):
        user = user or self.user(**made)
        return Caller(self.secret(user, scopes=scopes), user=user)

    def manager(self, privilege, scope=Scope.AGENCY, *, agency=None):
        """Somebody with one privilege over an agency."""
        return self.caller(agency=agency, privileges={privilege: scope})

    def expired_secret(self, user):
        return self.secret(user, clock=ManualClock(at=datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)))


def administrator(office):
    """Somebody who holds every privilege over everything, in an installation with all that it begins with."""
    prepare(office.town.system)
    user = create_first_user(
        office.town.system, agency_name="House", username="administrator", password=PASSWORD, policy=POLICY
    )
    return office.caller(user)
