"""The addresses of the pages of bulk work, imports and reports."""

from django.urls import URLPattern, path, re_path

from opilio.web.views import bulk, bulk_tables, reports, wct_import

BULK: list[URLPattern] = [
    path("bulk", bulk.bulk_runs, name="bulk-runs"),
    path("bulk/<int:run_id>", bulk.bulk_run, name="bulk-run"),
    path("bulk/import/<slug:noun>", bulk_tables.import_table, name="import-table"),
    path("bulk/export/<slug:noun>", bulk_tables.export_table, name="export-table"),
]
REPORTS: list[URLPattern] = [
    path("reports", reports.reports, name="reports"),
    path("reports/<slug:name>", reports.report, name="report"),
    re_path(r"^reports/(?P<name>[a-z-]+)/file[.](?P<form>csv|html)$", reports.report_file, name="report-file"),
    path("admin/import", wct_import.wct_import, name="wct-import"),
    path("admin/import/<int:import_id>", wct_import.wct_report, name="wct-report"),
    path("admin/import/<int:import_id>/report.csv", wct_import.wct_report_file, name="wct-report-file"),
    path("admin/import/<int:import_id>/again", wct_import.wct_again, name="wct-again"),
    path("admin/import/<int:import_id>/discard", wct_import.wct_discard, name="wct-discard"),
]

urlpatterns: list[URLPattern] = [*BULK, *REPORTS]
