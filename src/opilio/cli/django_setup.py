"""Sets Django up for a command, before any module with models is imported."""

import os

import django

from opilio.kernel import logs


def prepare() -> None:
    """Set Django up; a second call does nothing. A setting that cannot be used is told as such."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "opilio.server.settings")  # noqa: TID251 - Django's own variable
    django.setup()
    logs.adopt_libraries()
