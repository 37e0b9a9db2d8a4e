"""The addresses of replay, pages, missing URLs, patches and imports of a result."""

from django.urls import URLPattern, path

from opilio.web.views import result_import, result_missing, result_pages, result_replay

urlpatterns: list[URLPattern] = [
    path("results/<int:result_id>/replay", result_replay.replay, name="result-replay"),
    path("results/<int:result_id>/replay/open", result_replay.open_page, name="result-replay-open"),
    path("results/<int:result_id>/replay/picture", result_replay.picture, name="result-replay-picture"),
    path("results/<int:result_id>/pages", result_pages.pages, name="result-pages"),
    path("results/<int:result_id>/pages/page", result_pages.page, name="result-page"),
    path("results/<int:result_id>/missing", result_missing.missing, name="result-missing"),
    path("results/<int:result_id>/missing/add", result_missing.add, name="result-missing-add"),
    path("results/<int:result_id>/missing/find", result_missing.find, name="result-missing-find"),
    path("results/<int:result_id>/patch", result_missing.patch, name="result-patch"),
    path("results/<int:result_id>/patch/end", result_missing.end, name="result-patch-end"),
    path("results/<int:result_id>/import", result_import.add, name="result-import"),
    path("results/<int:result_id>/import/<slug:way>", result_import.add, name="result-import-way"),
]
