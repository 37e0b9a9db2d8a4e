"""The addresses of the pages of deliveries, sessions, findings, centres and sources."""

from django.urls import URLPattern, path

from opilio.web.views import (
    centres,
    deliveries,
    delivery_documents,
    delivery_findings,
    delivery_sessions,
    delivery_sources,
)

urlpatterns: list[URLPattern] = [
    path("deliveries", deliveries.deliveries, name="deliveries"),
    path("deliveries/all", deliveries.all_deliveries, name="all-deliveries"),
    path("deliveries/<int:delivery_id>", deliveries.delivery, name="delivery"),
    path("deliveries/<int:delivery_id>/records", delivery_documents.records, name="delivery-records"),
    path("deliveries/<int:delivery_id>/<slug:verb>", deliveries.decide, name="decide-delivery"),
    path("deliveries/<int:delivery_id>/documents/<int:document_id>", delivery_documents.document,
         name="delivery-document"),
    path("deliveries/sessions", delivery_sessions.delivery_sessions, name="delivery-sessions"),
    path("deliveries/sessions/run", delivery_sessions.run, name="run-delivery-session"),
    path("deliveries/sessions/<int:session_id>", delivery_sessions.delivery_session, name="delivery-session"),
    path("deliveries/findings", delivery_findings.findings, name="delivery-findings"),
    path("deliveries/findings/documents", delivery_findings.in_documents, name="document-findings"),
    path("deliveries/findings/files", delivery_findings.in_files, name="file-findings"),
    path("deliveries/findings/kinds", delivery_findings.kinds, name="finding-kinds"),
    path("deliveries/findings/kinds/<int:kind_id>", delivery_findings.kind, name="finding-kind"),
    path("deliveries/findings/kinds/<int:kind_id>/delete", delivery_findings.remove_kind, name="delete-finding-kind"),
    path("deliveries/centres", centres.centres, name="centres"),
    path("deliveries/centres/new", centres.new_centre, name="new-centre"),
    path("deliveries/centres/<int:centre_id>", centres.centre, name="centre"),
    path("deliveries/centres/<int:centre_id>/report", centres.report, name="centre-report"),
    path("deliveries/sources", delivery_sources.sources, name="delivery-sources"),
    path("deliveries/sources/new", delivery_sources.new_source, name="new-delivery-source"),
    path("deliveries/sources/<int:source_id>", delivery_sources.source, name="delivery-source"),
    path("deliveries/sources/<int:source_id>/try", delivery_sources.try_source, name="try-delivery-source"),
    path("deliveries/sources/<int:source_id>/pin", delivery_sources.pin, name="pin-host-key"),
]  # fmt: skip
