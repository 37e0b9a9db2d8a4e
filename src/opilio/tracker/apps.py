"""The Django app of the tracker."""

from importlib import import_module

from django.apps import AppConfig


class TrackerConfig(AppConfig):
    name = "opilio.tracker"
    label = "tracker"
    verbose_name = "Tracker"

    def ready(self) -> None:
        """Let the kinds of its rows be known to what works on any row."""
        import_module("opilio.tracker.kinds")
