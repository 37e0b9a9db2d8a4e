"""The addresses of what was measured of a result, and of the limits and rules that judge it."""

from django.urls import URLPattern, path

from opilio.web.views import indicators, result_quality, review_policy

urlpatterns: list[URLPattern] = [
    path("results/<int:result_id>/quality", result_quality.quality, name="result-quality"),
    path("results/<int:result_id>/quality/assess", result_quality.assess, name="assess-result"),
    path("results/<int:result_id>/quality/patch-list", result_quality.patch_list, name="assessment-patch-list"),
    path("results/<int:result_id>/quality/assessment.json", result_quality.quality_json, name="result-quality-json"),
    path("results/<int:result_id>/quality/<slug:name>.csv", result_quality.quality_csv, name="result-quality-csv"),
    path("admin/indicators", indicators.indicators, name="indicators"),
    path("admin/indicators/new", indicators.new_indicator, name="new-indicator"),
    path("admin/indicators/in-force", indicators.in_force, name="indicators-in-force"),
    path("admin/indicators/<int:indicator_id>", indicators.indicator, name="indicator"),
    path("admin/review-policy", review_policy.policies, name="review-policies"),
    path("admin/review-policy/<int:agency_id>", review_policy.policy, name="review-policy"),
]
