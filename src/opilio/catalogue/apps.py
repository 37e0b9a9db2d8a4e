"""The Django app of the catalogue's foundation."""

from django.apps import AppConfig


class CatalogueConfig(AppConfig):
    name = "opilio.catalogue"
    label = "catalogue"
    verbose_name = "Catalogue"
