"""Schedules: when targets and groups are harvested (SCHEDULE), and patterns with a name."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identifiers import GENERAL
from opilio.curation.models.collected import AbstractTarget

CUSTOM = 0  # number of the pattern of a schedule that has an expression of its own


class SchedulePattern(Curated):
    """A cron expression with a name, offered to everybody."""

    number = models.IntegerField(help_text="Number that schedules keep; 0 stands for an expression of their own.")
    name = models.CharField(max_length=255, help_text="Name, as Mondays at 21:00.")
    cron = models.CharField(max_length=255, help_text="Cron expression with 7 or 5 fields.")

    class Meta:
        db_table = "schedule_pattern"
        ordering = ["name", "id"]
        base_manager_name = "everything"
        constraints = [
            models.UniqueConstraint(
                fields=["number"], condition=models.Q(deleted=False), name="schedule_pattern_unique",
                violation_error_message="There is a pattern of this number already.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.name


class Schedule(Curated):
    """When a target or group is harvested."""

    ID_KIND = GENERAL

    abstract_target = models.ForeignKey(AbstractTarget, on_delete=models.CASCADE, related_name="schedules")
    owner = models.ForeignKey("people.User", on_delete=models.PROTECT, related_name="schedules")
    pattern = models.IntegerField(default=CUSTOM, help_text="Number of the named pattern; 0: its own expression.")
    cron = models.CharField(max_length=255, help_text="Cron expression with 7 or 5 fields.")
    time_zone = models.CharField(max_length=64, help_text="Zone of its times, as Europe/Paris.")
    start = models.DateTimeField(help_text="From when harvests are planned.")
    end = models.DateTimeField(null=True, blank=True, help_text="Until when harvests are planned; empty: for ever.")
    paused = models.BooleanField(default=False, help_text="Whether no harvest is planned for now.")
    next_time = models.DateTimeField(null=True, blank=True, help_text="First time after what is planned already.")
    planned_until = models.DateTimeField(null=True, blank=True, help_text="Until when harvests were planned.")

    class Meta:
        db_table = "schedule"
        ordering = ["abstract_target", "start", "id"]
        base_manager_name = "everything"
        indexes = [
            models.Index(fields=["paused", "next_time"], name="schedule_next"),
            models.Index(fields=["planned_until", "id"], name="schedule_planned"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(end=None) | models.Q(end__gte=models.F("start")), name="schedule_dates",
                violation_error_message="The end is before the start.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.cron} ({self.time_zone})"
