"""The Django project: settings, addresses, ASGI."""
