"""The addresses of the pages that look after what is kept: purge, fixity, takedowns."""

from django.urls import URLPattern, path

from opilio.web.views import fixity, purge, takedowns

urlpatterns: list[URLPattern] = [
    path("admin/purge", purge.purges, name="purge"),
    path("admin/purge/<int:harvest_id>", purge.purge, name="purge-harvest"),
    path("fixity", fixity.checks, name="fixity"),
    path("fixity/<int:check_id>", fixity.check, name="fixity-check"),
    path("harvests/<int:harvest_id>/fixity", fixity.order, name="fixity-order"),
    path("takedowns", takedowns.takedowns, name="takedowns"),
    path("takedowns/new", takedowns.new_takedown, name="new-takedown"),
    path("takedowns/<int:takedown_id>", takedowns.takedown, name="takedown"),
    path("takedowns/<int:takedown_id>/reach", takedowns.reach, name="takedown-reach"),
    path("takedowns/<int:takedown_id>/proof.json", takedowns.proof, name="takedown-proof"),
    path("takedowns/<int:takedown_id>/confirm", takedowns.confirm, name="takedown-confirm"),
    path("takedowns/<int:takedown_id>/lift", takedowns.lift, name="takedown-lift"),
    path("takedowns/<int:takedown_id>/review", takedowns.review, name="takedown-review"),
    path("takedowns/<int:takedown_id>/prove", takedowns.prove, name="takedown-prove"),
]
