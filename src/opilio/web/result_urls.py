"""The addresses of the pages of results; each part has a module of its own, spliced in here."""

from django.urls import URLPattern

from opilio.web import result_look_urls, result_quality_urls, result_tool_urls, review_urls

urlpatterns: list[URLPattern] = [
    *review_urls.urlpatterns,
    *result_tool_urls.urlpatterns,
    *result_look_urls.urlpatterns,
    *result_quality_urls.urlpatterns,
]
