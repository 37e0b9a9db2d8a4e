"""What a name was resolved to, as the archive keeps it."""

from datetime import datetime

from opilio.crawl.fetch.resolver import Resolved
from opilio.kernel.capture import DnsAnswer


def dns_answer(resolved: Resolved, at: datetime) -> DnsAnswer | None:
    """The record; None where no name server was asked (addresses, the machine's own names) or none answered."""
    if not resolved.ttl or not resolved.addresses:
        return None
    records = tuple((resolved.ttl, "AAAA" if ":" in address else "A", address) for address in resolved.addresses)
    return DnsAnswer(host=resolved.name, at=at, records=records)
