"""Names in tables → identifiers; each is looked up once in an import."""

from typing import Any

from opilio.curation.models import Profile
from opilio.people.errors import InvalidFields
from opilio.people.queries import names


class Names:
    """What an import has looked up so far."""

    def __init__(self) -> None:
        self._agencies = names.agency_ids()
        self._users: dict[str, int | None] = {}
        self._profiles: dict[tuple[int, str], int | None] = {}

    def agency(self, name: str) -> int:
        """The agency of this name."""
        found = self._agencies.get(name.casefold())
        if found is None:
            raise InvalidFields({"agency": [f"There is no agency {name[:60]!r}."]})
        return found

    def user(self, name: str, column: str = "owner") -> int:
        """The user of this name."""
        if name.casefold() not in self._users:
            self._users[name.casefold()] = names.user_id(name)
        found = self._users[name.casefold()]
        if found is None:
            raise InvalidFields({column: [f"There is no user {name[:60]!r}."]})
        return found

    def profile(self, agency: int, name: str) -> int:
        """The agency's profile of this name."""
        key = (agency, name.casefold())
        if key not in self._profiles:
            rows = Profile.objects.filter(agency_id=agency, name__iexact=name, original=None)
            self._profiles[key] = rows.values_list("id", flat=True).first()
        found = self._profiles[key]
        if found is None:
            raise InvalidFields({"profile": [f"The agency has no profile {name[:60]!r}."]})
        return found

    def check(self, values: Any) -> int:
        """Refuse an unknown agency, owner or profile; the agency."""
        agency = self.agency(values["agency"])
        if values.get("owner"):
            self.user(values["owner"])
        if values.get("profile"):
            self.profile(agency, values["profile"])
        return agency
