"""The ASGI application: pages and API."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "opilio.server.settings")  # noqa: TID251 - Django's own variable

application = get_asgi_application()
