"""The addresses of the pages of targets, seeds and nominations."""

from django.urls import URLPattern, path

from opilio.web.views import (
    nominations,
    rejection_reasons,
    seeds,
    target_excluded,
    target_moves,
    target_parts,
    targets,
    verify,
)

urlpatterns: list[URLPattern] = [
    path("targets", targets.targets, name="targets"),
    path("targets/new", targets.new_target, name="new-target"),
    path("targets/<int:target_id>", targets.target, name="target"),
    path("targets/<int:target_id>/seeds", seeds.target_seeds, name="target-seeds"),
    path("targets/<int:target_id>/seeds/import", seeds.import_seeds, name="import-seeds"),
    path("targets/<int:target_id>/excluded", target_excluded.excluded, name="target-excluded"),
    path("targets/<int:target_id>/description", target_parts.description, name="target-description"),
    path("targets/<int:target_id>/groups", target_parts.groups, name="target-groups"),
    path("targets/<int:target_id>/access", target_parts.access, name="target-access"),
    path("targets/<int:target_id>/notes", target_parts.notes, name="target-notes"),
    path("targets/<int:target_id>/planned", target_parts.planned, name="target-planned"),
    path("targets/<int:target_id>/history", target_parts.history, name="target-history"),
    path("targets/<int:target_id>/move/<slug:verb>", target_moves.move, name="target-move"),
    path("targets/<int:target_id>/copy", target_moves.copy, name="copy-target"),
    path("targets/<int:target_id>/ask", verify.ask, name="ask-originator"),
    path(
        "targets/<int:target_id>/verifications/<int:invitation_id>/<slug:verb>", verify.decide, name="verification"
    ),
    path("seeds", seeds.seeds, name="seeds"),
    path("seeds/<int:seed_id>", seeds.seed, name="seed"),
    path("seeds/<int:seed_id>/<slug:verb>", seeds.seed_link, name="seed-link"),
    path("excluded-urls/<int:excluded_id>", target_excluded.excluded_url, name="excluded-url"),
    path("verify/done", verify.done, name="verified"),
    path("verify/<str:token>", verify.verify, name="verify"),
    path("nominate", nominations.nominate, name="nominate"),
    path("nominate/done", nominations.nominated, name="nominated"),
    path("nominations", nominations.nominations, name="nominations"),
    path("nominations/<int:nomination_id>", nominations.nomination, name="nomination"),
    path("nominations/<int:nomination_id>/accept", nominations.accept, name="accept-nomination"),
    path("nominations/<int:nomination_id>/decline", nominations.decline, name="decline-nomination"),
    path("admin/reasons", rejection_reasons.reasons, name="rejection-reasons"),
    path("admin/reasons/new", rejection_reasons.new_reason, name="new-rejection-reason"),
    path("admin/reasons/<int:reason_id>", rejection_reasons.reason, name="rejection-reason"),
]  # fmt: skip
