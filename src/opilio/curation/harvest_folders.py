"""Where the data of a harvest lies on this machine."""

from pathlib import Path

from django.conf import settings

from opilio.works.run_harvest import HarvestFolder


def folder_of(harvest: int) -> HarvestFolder:
    """The folder of a harvest; whether it is here is another question."""
    home: Path = settings.OPILIO.home
    return HarvestFolder(path=home / "harvests" / str(harvest))
