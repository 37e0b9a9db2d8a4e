"""The index of this installation, opened once per process."""

from django.conf import settings

from opilio.works import search_setup
from opilio.works.search_home import SearchHome


def search_home() -> SearchHome:
    """The index that the settings in force describe."""
    return search_setup.search_home(settings.OPILIO)
