"""The addresses of the pages about publishing and who sees what."""

from django.urls import URLPattern, path

from opilio.web.views import access_rules, harvest_display, publications, reading_rooms

urlpatterns: list[URLPattern] = [
    path("harvests/<int:harvest_id>/display", harvest_display.display, name="harvest-display"),
    path("access/rules.jsonl", access_rules.rules_file, name="access-rules-file"),
    path("publications", publications.publications, name="publications"),
    path("publications/start", publications.start, name="start-publication"),
    path("publications/<int:publication_id>", publications.publication, name="publication"),
    path("admin/reading-rooms", reading_rooms.rooms, name="reading-rooms"),
    path("admin/reading-rooms/new", reading_rooms.new_room, name="new-reading-room"),
    path("admin/reading-rooms/<int:room_id>", reading_rooms.room, name="reading-room"),
]
