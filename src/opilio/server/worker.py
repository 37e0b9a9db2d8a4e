"""What a worker process of the server loads: logs first, then the application."""

from django.conf import settings

from opilio.server import log_format
from opilio.server.asgi import application

log_format.configure(settings.OPILIO)

__all__ = ["application"]
