"""Time zones by their IANA names."""

import zoneinfo

from opilio.people.errors import InvalidFields


def check(name: str) -> str:
    """The name, if there is such a zone."""
    if name and name not in zoneinfo.available_timezones():
        raise InvalidFields({"time_zone": [f"There is no time zone {name!r}; write it as Europe/Paris."]})
    return name


def names() -> list[str]:
    """All zones, as people choose them."""
    return sorted(name for name in zoneinfo.available_timezones() if "/" in name or name == "UTC")
