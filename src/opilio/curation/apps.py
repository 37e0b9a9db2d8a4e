"""The Django app of curation."""

from importlib import import_module

from django.apps import AppConfig


class CurationConfig(AppConfig):
    name = "opilio.curation"
    label = "curation"
    verbose_name = "Curation"

    def ready(self) -> None:
        """Let the kinds of its rows be known to what works on any row."""
        import_module("opilio.curation.kinds")
