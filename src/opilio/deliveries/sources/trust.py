"""Which certificates a source's server may show."""

import ssl

from opilio.deliveries.errors import BadSource
from opilio.deliveries.source import Source


def trust_of(source: Source) -> ssl.SSLContext:
    """A context that verifies name and chain: by the source's own authorities, or else by those of the system."""
    try:
        return ssl.create_default_context(cadata=source.authority or None)
    except (ssl.SSLError, ValueError) as error:
        remedy = "Give certificates in PEM form."
        raise BadSource("The authority of the source cannot be read", where=source.where, remedy=remedy) from error
