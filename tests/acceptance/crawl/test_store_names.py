"""The database of a crawl store is asked before anything is made."""

import pytest

from opilio.crawl.errors import CrawlStoreExists
from opilio.kernel.errors import InvalidInput
from opilio.works.crawl_to_archive import Crew, crawl
from tests.acceptance.crawl.crawls import plan_for, store_address
from tests.servers.http_server import HttpServer


@pytest.mark.database
@pytest.mark.only_on("postgres")
def test_a_name_that_the_database_cannot_give_is_refused_before_the_folder_is_made(tmp_path):
    """Because another crawl has it, or because it is no name."""
    with HttpServer() as server, store_address("postgres") as address:
        crew = Crew(address=address)
        crawl(plan_for(server.url("/page")), tmp_path / "out", crew)
        for folder, error in (("other/out", CrawlStoreExists), ("of two words", InvalidInput)):
            with pytest.raises(error):
                crawl(plan_for(server.url("/page")), tmp_path / folder, crew)
            assert not (tmp_path / folder).exists()
