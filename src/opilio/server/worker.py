"""What a worker process of the server loads: logs first, then pages and API, with replay under names of its own."""

import os

from django.conf import settings

from opilio.server import log_format, telemetry
from opilio.server.asgi import application as pages
from opilio.server.replay import beside
from opilio.server.request_counts import Counts, counted, folder_of

log_format.configure(settings.OPILIO)
telemetry.install(settings.OPILIO, service="serve")
_counts = Counts(folder_of(os.getppid()))
application = beside(counted(pages, _counts), shown=lambda replay: counted(replay, _counts, face="replay"))

__all__ = ["application"]
