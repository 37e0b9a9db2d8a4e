"""The Django app of the pages: no tables, only templates and static files."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "opilio.web"
    label = "web"
    verbose_name = "Pages"
