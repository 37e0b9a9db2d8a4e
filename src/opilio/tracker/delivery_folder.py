"""Where this installation keeps the files of deliveries: in the home folder, and in the work store if there is one."""

from django.conf import settings

from opilio.works.sharing.delivery_files import DeliveryFiles
from opilio.works.sharing.work_store import work_store

FOLDER = "deliveries"
_PATIENCE = 600.0  # seconds for which sessions wait for a store that is away


def delivery_files(*, patience: float = _PATIENCE) -> DeliveryFiles:
    """Of the settings in force; who answers a person at once is not patient."""
    folder, shared = settings.OPILIO.home / FOLDER, work_store(settings.OPILIO)
    if shared is None:
        return DeliveryFiles(folder=folder)
    return DeliveryFiles(folder=folder, store=shared.store, most=shared.most, patience=patience)
