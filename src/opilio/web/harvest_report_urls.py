"""The addresses of the reports on a harvest."""

from django.urls import URLPattern, path

from opilio.web.views import harvest_reports as views

_BASE = "harvests/<int:harvest_id>/reports"

urlpatterns: list[URLPattern] = [
    path(_BASE, views.reports, name="harvest-reports"),
    path(f"{_BASE}/<slug:name>", views.report, name="harvest-report"),
    path(f"{_BASE}/<slug:name>/file.csv", views.report_file, {"form": "csv"}, name="harvest-report-csv"),
    path(f"{_BASE}/<slug:name>/file.json", views.report_file, {"form": "json"}, name="harvest-report-json"),
]
