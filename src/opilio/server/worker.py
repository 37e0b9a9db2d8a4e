"""What a worker process of the server loads: logs first, then pages and API, with replay under names of its own."""

from django.conf import settings

from opilio.catalogue.parking import LOT
from opilio.server import log_format
from opilio.server.asgi import application as pages
from opilio.server.replay import beside

log_format.configure(settings.OPILIO)
LOT.keep()
application = beside(pages)

__all__ = ["application"]
