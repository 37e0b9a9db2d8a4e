"""The addresses of the pages of depositories and deposits."""

from django.urls import URLPattern, path

from opilio.web.views import depositories, deposits

urlpatterns: list[URLPattern] = [
    path("admin/depositories", depositories.depositories, name="depositories"),
    path("admin/depositories/new", depositories.new_depository, name="new-depository"),
    path("admin/depositories/<int:depository_id>", depositories.depository, name="depository"),
    path("admin/depositories/<int:depository_id>/try", depositories.try_depository, name="try-depository"),
    path("deposits", deposits.deposits, name="deposits"),
    path("deposits/<int:deposit_id>/retry", deposits.retry, name="retry-deposit"),
    path("deposits/<int:deposit_id>/give-up", deposits.give_up, name="give-up-deposit"),
    path("harvests/<int:harvest_id>/archive", deposits.archive, name="archive-harvest"),
    path("results/<int:result_id>/deposits", deposits.of_result, name="result-deposits"),
]
