"""The addresses of what a harvest collected and has before it."""

from django.urls import URLPattern, path

from opilio.web.views import harvest_records, harvest_steering

urlpatterns: list[URLPattern] = [
    path("harvests/<int:harvest_id>/resources", harvest_records.resources, name="harvest-resources"),
    path("harvests/<int:harvest_id>/queue", harvest_records.queue, name="harvest-waiting"),
    path("harvests/<int:harvest_id>/queue/<slug:verb>", harvest_steering.order, name="harvest-waiting-order"),
    path("harvests/<int:harvest_id>/story", harvest_records.story, name="harvest-story"),
    path("harvests/<int:harvest_id>/priority", harvest_steering.priority, name="harvest-priority"),
]
