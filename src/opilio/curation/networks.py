"""What the settings of the installation add to every plan of a harvest; for whoever launches one."""

from opilio.curation.harvest_plan import Network
from opilio.kernel.settings import Settings


def network_of(known: Settings) -> Network:
    """Private networks that harvests may fetch from, and where servers can complain."""
    return Network(allow_private=known.harvest_allow_private, contact=known.harvest_contact)
