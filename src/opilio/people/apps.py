"""The Django app of the people."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "opilio.people"
    label = "people"
    verbose_name = "People"
