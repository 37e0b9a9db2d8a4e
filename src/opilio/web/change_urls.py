"""The addresses of the pages about changes."""

from django.urls import URLPattern, path

from opilio.web.views import harvest_changes

urlpatterns: list[URLPattern] = [
    path("harvests/<int:harvest_id>/changes", harvest_changes.of_harvest, name="harvest-changes"),
    path("targets/<int:target_id>/changes", harvest_changes.of_target, name="target-changes"),
    path("targets/<int:target_id>/changes/pages.csv", harvest_changes.pages_file, name="target-changes-file"),
    path("groups/<int:group_id>/changes", harvest_changes.of_group, name="group-changes"),
    path("groups/<int:group_id>/changes/pages.csv", harvest_changes.group_pages_file, name="group-changes-file"),
]
