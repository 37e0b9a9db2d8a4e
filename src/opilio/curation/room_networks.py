"""Networks of a reading room as people write them: addresses and networks, one per line."""

import ipaddress

from opilio.kernel.access_index import MAX_NETWORKS, Network
from opilio.people.errors import InvalidFields


def networks_of(text: str) -> tuple[Network, ...]:
    """The networks of a text; `InvalidFields` names the lines that are none."""
    lines = [line.strip() for line in text.replace(",", "\n").splitlines()]
    found: list[Network] = []
    faults: list[str] = []
    for number, line in enumerate(lines, 1):
        if line:
            try:
                found.append(ipaddress.ip_network(line, strict=False))
            except ValueError:
                faults.append(f"Line {number}, {line[:60]!r}, is no address or network; write 192.0.2.0/24.")
    if len(found) > MAX_NETWORKS:
        faults.append(f"There are more than {MAX_NETWORKS:,} networks; use wider ones.")
    if not found and not faults:
        faults.append("Write at least one address or network, as 192.0.2.0/24.")
    if faults:
        raise InvalidFields({"networks": faults[:20]}, where="reading room")
    return tuple(dict.fromkeys(found))


def everywhere(networks: tuple[Network, ...]) -> bool:
    """Whether a network lets in the whole world, so that the room restricts nothing."""
    return any(network.prefixlen == 0 for network in networks)


def tidy(text: str) -> str:
    """The networks in their own form, one per line; one that takes in the whole world is refused."""
    found = networks_of(text)
    if everywhere(found):
        raise InvalidFields({"networks": ["A network of the whole world is no reading room."]}, where="reading room")
    return "\n".join(map(str, found))
