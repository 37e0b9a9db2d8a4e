"""The addresses of the search pages, for readers and for curators, and of the status of the index."""

from django.urls import path

from opilio.web.find_face import for_curators, for_readers
from opilio.web.views import find, find_stories, index_status

urlpatterns = [
    path("search/pages", for_curators(find.results), name="search-pages"),
    path("search/pages/suggest", for_curators(find.suggest), name="search-pages-suggest"),
    path("search/pages/page", for_curators(find_stories.page), name="search-pages-page"),
    path("search/pages/word", for_curators(find_stories.word), name="search-pages-word"),
    path("search/pages/links", for_curators(find_stories.links), name="search-pages-links"),
    path("search/pages/similar", for_curators(find_stories.similar), name="search-pages-similar"),
    path("find", for_readers(find.results), name="find"),
    path("find/suggest", for_readers(find.suggest), name="find-suggest"),
    path("find/opensearch.xml", find.opensearch, name="find-opensearch"),
    path("find/page", for_readers(find_stories.page), name="find-page"),
    path("find/word", for_readers(find_stories.word), name="find-word"),
    path("find/links", for_readers(find_stories.links), name="find-links"),
    path("find/similar", for_readers(find_stories.similar), name="find-similar"),
    path("index", index_status.index_status, name="index"),
]
