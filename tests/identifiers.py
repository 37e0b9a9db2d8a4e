"""Blocks of identifiers for the tests of this process, reserved once: else each test would reserve its own anew."""

from django.apps import apps

from opilio.catalogue import identifiers
from opilio.catalogue.identified import Identified


def take_blocks():
    """Reserve a block for each kind of row, outside all transactions, so that no rollback takes it away."""
    kinds = {model.id_kind() for model in apps.get_models() if issubclass(model, Identified)}
    for kind in sorted(kinds):
        identifiers.take(kind)
