"""The addresses of the tree, of pruning, comparing, the history and the logs of a result."""

from django.urls import URLPattern, path

from opilio.web.views import result_compare, result_history, result_hosts, result_log, result_prune, result_tree

urlpatterns: list[URLPattern] = [
    path("results/<int:result_id>/tree", result_tree.tree, name="result-tree"),
    path("results/<int:result_id>/prune", result_prune.prune_result, name="result-prune"),
    path("results/<int:result_id>/hosts", result_hosts.hosts, name="result-hosts"),
    path("results/<int:result_id>/compare", result_compare.compare, name="result-compare"),
    path("results/<int:result_id>/compare/page", result_compare.compare_page, name="result-compare-page"),
    path("results/<int:result_id>/log", result_log.log, name="result-log"),
    path("results/<int:result_id>/history", result_history.history, name="result-history"),
]
