"""The addresses of the pages of harvests and agents."""

from django.urls import URLPattern, path

from opilio.web import change_urls, harvest_report_urls, record_urls
from opilio.web.views import agents, bandwidth, harvest_live, harvest_orders, harvest_parts, harvests

urlpatterns: list[URLPattern] = [
    path("harvests", harvests.harvests, name="harvests"),
    path("harvests/now", harvests.now, name="harvest-now"),
    path("harvests/queue", harvests.switch, name="harvest-queue"),
    path("harvests/<int:harvest_id>", harvests.harvest, name="harvest"),
    path("harvests/<int:harvest_id>/live", harvest_live.live, name="harvest-live"),
    path("harvests/<int:harvest_id>/live/stream", harvest_live.stream, name="harvest-live-stream"),
    path("harvests/<int:harvest_id>/live/picture", harvest_live.picture, name="harvest-live-picture"),
    *harvest_report_urls.urlpatterns,
    path("harvests/<int:harvest_id>/log", harvest_parts.log, name="harvest-log"),
    path("harvests/<int:harvest_id>/snapshot", harvest_parts.snapshot, name="harvest-snapshot"),
    path("harvests/<int:harvest_id>/files", harvest_parts.files, name="harvest-files"),
    path("harvests/<int:harvest_id>/notes", harvest_parts.notes, name="harvest-notes"),
    path("harvests/<int:harvest_id>/launch", harvest_orders.launch, name="launch-harvest"),
    path("harvests/<int:harvest_id>/limits", harvest_orders.limits, name="harvest-limits"),
    path("harvests/<int:harvest_id>/delay", harvest_orders.delay, name="harvest-delay"),
    path("harvests/<int:harvest_id>/exclude", harvest_orders.exclude, name="harvest-exclude"),
    path("harvests/<int:harvest_id>/bandwidth", harvest_orders.bandwidth, name="harvest-bandwidth"),
    path("harvests/<int:harvest_id>/flag/<slug:verb>", harvest_orders.flag, name="harvest-flag"),
    path("harvests/<int:harvest_id>/move/<slug:verb>", harvest_orders.move, name="harvest-move"),
    path("admin/bandwidth", bandwidth.restrictions, name="bandwidth"),
    path("admin/bandwidth/new", bandwidth.new_restriction, name="new-bandwidth"),
    path("admin/bandwidth/<int:restriction_id>", bandwidth.restriction, name="bandwidth-row"),
    path("agents", agents.agents, name="agents"),
    path("agents/rule", agents.rule, name="agent-rule"),
    path("agents/<int:agent_id>/command/<slug:verb>", agents.command, name="agent-command"),
    *record_urls.urlpatterns,
    *change_urls.urlpatterns,
]
