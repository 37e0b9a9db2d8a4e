"""What a harvest shows while it runs, and what it found changed since an earlier one."""

from django.db import models

from opilio.catalogue.identified import Identified
from opilio.curation.models.harvest import Harvest


class HarvestLive(Identified):
    """The last sheet of a running harvest: written by its agent, read by everybody who watches."""

    harvest = models.OneToOneField(Harvest, on_delete=models.CASCADE, related_name="live")
    number = models.PositiveIntegerField(default=0)  # rises with each sheet
    at = models.DateTimeField()
    sheet = models.TextField()  # JSON: figures, points of the plot, hosts, last URLs, last lines of the log

    class Meta:
        db_table = "harvest_live"
        ordering = ["id"]
        indexes = [models.Index(fields=["at"], name="harvest_live_at")]

    def __str__(self) -> str:
        return f"sheet {self.number} of harvest {self.harvest_id}"


class HarvestChanges(Identified):
    """What a harvest found changed since the one it went by."""

    harvest = models.OneToOneField(Harvest, on_delete=models.CASCADE, related_name="changes")
    since = models.ForeignKey(Harvest, null=True, on_delete=models.SET_NULL, related_name="+")
    days = models.FloatField(default=0)  # between the two
    not_modified = models.PositiveIntegerField(default=0)  # the server said so
    same = models.PositiveIntegerField(default=0)  # fetched again, the same bytes
    changed = models.PositiveIntegerField(default=0)
    new = models.PositiveIntegerField(default=0)
    gone = models.PositiveIntegerField(default=0)

    class Meta:
        db_table = "harvest_changes"
        ordering = ["id"]

    def __str__(self) -> str:
        return f"changes of harvest {self.harvest_id}"
