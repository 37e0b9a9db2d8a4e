"""The Django app of the jobs."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "opilio.jobs"
    label = "jobs"
    verbose_name = "Jobs"
