"""What must hold on this machine before a crawl leaves its first trace: certificates, and the database of the store."""

import ssl
from pathlib import Path

from opilio.kernel.errors import InvalidInput
from opilio.kernel.files import reading
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.shared_stores import shared_stores


def check_authorities(file: str) -> None:
    """Refuse a file of certificate authorities that cannot be read, or holds none; an empty name is the system's."""
    if not file:
        return
    with reading(Path(file)):
        data = Path(file).read_bytes()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(cadata=data.decode("ascii", "replace"))
    except (ssl.SSLError, ValueError):
        remedy = "Name a file with certificates in PEM form (-----BEGIN CERTIFICATE-----)."
        raise InvalidInput("the file holds no certificate that can be read", where=file, remedy=remedy) from None


def check_store(place: CrawlFolder, address: StoreAddress) -> None:
    """Refuse a database that cannot be reached now, and a name that cannot be given to the crawl in it."""
    if address.url:
        shared_stores().check_new(address.url, place.new_store_name(address))
