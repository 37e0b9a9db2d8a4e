"""The reading rooms of agencies, as rules of access name them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from opilio.curation.models import ReadingRoom
from opilio.curation.room_networks import networks_of
from opilio.people.queries.names import agency_names

_LONGEST = 180  # characters of a name, of the 200 that rules take


@dataclass(frozen=True, kw_only=True)
class Rooms:
    """All rooms with their networks, and which of them are an agency's."""

    networks: Mapping[str, tuple[str, ...]]
    by_agency: Mapping[int, frozenset[str]]

    def of(self, agency: int) -> frozenset[str]:
        """The rooms of an agency; one without any has an empty one, so that rooms of others do not count."""
        return self.by_agency[agency]


def reading_rooms() -> Rooms:
    """The rooms in use."""
    networks: dict[str, tuple[str, ...]] = {}
    by_agency: dict[int, set[str]] = {}
    for agency, name, found in _named():
        networks[name] = found
        by_agency.setdefault(agency, set()).add(name)
    return Rooms(networks=networks, by_agency={agency: frozenset(names) for agency, names in by_agency.items()})


def _named() -> Iterator[tuple[int, str, tuple[str, ...]]]:
    agencies = agency_names()
    rows = list(ReadingRoom.objects.filter(active=True).order_by("id"))
    for row in rows:
        yield (
            row.agency_id,
            _name(row.name, agencies[row.agency_id], row.pk),
            tuple(map(str, networks_of(row.networks))),
        )
    for agency in agencies.keys() - {row.agency_id for row in rows}:
        yield agency, _name("reading room", agencies[agency], agency), ()


def _name(room: str, agency: str, number: int) -> str:
    return f"{room}, {agency}"[:_LONGEST] + f" ({number})"
