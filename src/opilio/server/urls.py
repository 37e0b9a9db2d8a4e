"""Which part answers which address."""

from django.urls import include, path

from opilio.api.urls import api
from opilio.server import operation

urlpatterns = [
    path("health/live", operation.live),
    path("health/ready", operation.ready),
    path("metrics", operation.metrics),
    path("api/v1/", api.urls),
    path("", include("opilio.web.urls")),
]

handler400 = "opilio.web.views.errors.bad_request"
handler403 = "opilio.web.views.errors.forbidden"
handler404 = "opilio.web.views.errors.not_found"
handler500 = "opilio.web.views.errors.server_error"
