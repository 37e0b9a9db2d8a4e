"""The Django app of curation."""

from importlib import import_module

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from opilio.curation import trigrams


class CurationConfig(AppConfig):
    name = "opilio.curation"
    label = "curation"
    verbose_name = "Curation"

    def ready(self) -> None:
        """Let the kinds of its rows be known to what works on any row."""
        import_module("opilio.curation.kinds")
        post_migrate.connect(trigrams.after_migrations, sender=self, dispatch_uid="opilio.curation.trigrams")
