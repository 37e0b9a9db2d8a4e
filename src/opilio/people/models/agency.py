"""An agency: the institution that users, roles and most other things belong to (the seed's AGENCY)."""

from django.db import models

from opilio.catalogue.curated import Curated


class Agency(Curated):
    """An institution, or a part of one, that collects on its own account."""

    name = models.CharField(max_length=255, help_text="Name under which people know the agency.")
    address = models.TextField(max_length=1000, blank=True, help_text="Postal address, as it should stand in letters.")
    logo_url = models.CharField(max_length=1024, blank=True, help_text="Web address of the logo, used in letters.")
    url = models.CharField(max_length=1024, blank=True, help_text="Web address of the agency.")
    email = models.EmailField(blank=True, help_text="E-mail address of the agency.")
    fax = models.CharField(max_length=64, blank=True, help_text="Fax number.")
    phone = models.CharField(max_length=64, blank=True, help_text="Telephone number.")
    time_zone = models.CharField(
        max_length=64, default="UTC", help_text="Zone of its schedules and of users who chose none, as Europe/Paris."
    )

    class Meta:
        db_table = "agency"
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["name"],
                condition=models.Q(deleted=False),
                name="agency_name_unique",
                violation_error_message="There is an agency of this name already; choose another.",
            )
        ]

    def __str__(self) -> str:
        return self.name
