"""The Django app of the API: it brings the template and style of the reference page."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "opilio.api"
    label = "api"
    verbose_name = "API"
