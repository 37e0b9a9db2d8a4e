"""Delivery profiles of an installation: its own, in the home folder, before those that come with Opilio."""

from django.conf import settings

from opilio.deliveries.profile import DeliveryProfile, shipped
from opilio.deliveries.profile import profile as any_profile

FOLDER = "delivery-profiles"


def named(name: str) -> DeliveryProfile:
    """The profile of this name, or in this file."""
    own = settings.OPILIO.home / FOLDER / f"{name}.toml"
    plain = name.replace("-", "").replace("_", "").isalnum()
    return any_profile(str(own)) if plain and own.is_file() else any_profile(name)


def known() -> list[str]:
    """The names of all profiles that can be used."""
    folder = settings.OPILIO.home / FOLDER
    own = {path.stem for path in folder.glob("*.toml")} if folder.is_dir() else set()
    return sorted(own | set(shipped()))
