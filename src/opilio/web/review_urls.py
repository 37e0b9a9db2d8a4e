"""The addresses of the pages on which results are decided, and of flags."""

from django.urls import URLPattern, path

from opilio.web.views import flags, result_decisions, results, review

urlpatterns: list[URLPattern] = [
    path("review", review.review, name="review"),
    path("review/all", review.every_result, name="review-all"),
    path("results/<int:result_id>", results.result, name="result"),
    path("results/<int:result_id>/events", results.events, name="result-events"),
    path("results/<int:result_id>/decide/<slug:verb>", result_decisions.decide, name="result-decide"),
    path("results/<int:result_id>/provenance", result_decisions.note, name="result-provenance"),
    path("harvests/<int:harvest_id>/results", results.of_harvest, name="harvest-results"),
    path("harvests/<int:harvest_id>/decide/<slug:verb>", result_decisions.decide_whole, name="harvest-decide"),
    path("harvests/<int:harvest_id>/reference/<slug:verb>", result_decisions.reference, name="harvest-reference"),
    path("harvests/<int:harvest_id>/delist", result_decisions.delist_target, name="harvest-delist"),
    path("harvests/<int:harvest_id>/colour", result_decisions.colour, name="harvest-colour"),
    path("admin/flags", flags.flags, name="flags"),
    path("admin/flags/new", flags.new_flag, name="new-flag"),
    path("admin/flags/<int:flag_id>", flags.flag, name="flag"),
]
