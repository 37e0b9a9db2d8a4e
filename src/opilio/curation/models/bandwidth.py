"""How much the line may carry at which time of the week (BANDWIDTH_RESTRICTIONS)."""

from django.db import models

from opilio.catalogue.curated import Curated


class Day(models.IntegerChoices):
    """Days of the week, as Python counts them."""

    MONDAY = 0, "Monday"
    TUESDAY = 1, "Tuesday"
    WEDNESDAY = 2, "Wednesday"
    THURSDAY = 3, "Thursday"
    FRIDAY = 4, "Friday"
    SATURDAY = 5, "Saturday"
    SUNDAY = 6, "Sunday"


class BandwidthRestriction(Curated):
    """What all harvests together may receive on a weekday between two times; outside all rows: nothing."""

    day = models.PositiveSmallIntegerField(choices=Day.choices)
    start = models.TimeField(help_text="First moment, in the zone of the installation.")
    end = models.TimeField(help_text="First moment after it; 00:00 means the end of the day.")
    limit = models.PositiveIntegerField(help_text="kB/s.")
    allow_early_start = models.BooleanField(default=False, help_text="Whether harvests may begin before their time.")

    class Meta:
        db_table = "bandwidth_restriction"
        ordering = ["day", "start", "id"]
        base_manager_name = "everything"

    def __str__(self) -> str:
        return f"{Day(self.day).label} {self.start:%H:%M} to {self.end:%H:%M}: {self.limit} kB/s"
