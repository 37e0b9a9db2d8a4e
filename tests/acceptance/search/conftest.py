"""The sample site, crawled once, and commands on a home of their own."""

import json
import shutil

import pytest

from opilio.cli.main import main
from opilio.works.build_index import build_generation
from opilio.works.index_sources import IndexSource
from opilio.works.search_home import SearchHome
from tests.browser.replay.sample import crawled_sample


@pytest.fixture(scope="session")
def sample(tmp_path_factory):
    """The folder of the crawl, and the address of the site, which is gone."""
    folder = tmp_path_factory.mktemp("search") / "harbour"
    return folder, crawled_sample(folder)


@pytest.fixture(scope="session")
def built(sample, tmp_path_factory):
    """A home with a published generation of the sample site."""
    home = tmp_path_factory.mktemp("built") / "index"
    source = IndexSource(name="harbour", folder=str(sample[0]), agency="museum", copyright="© the harbour museum")
    place = SearchHome(home)
    place.sources.add([source])
    build_generation(place, processes=1)
    place.publishing.publish()
    return home


@pytest.fixture
def published(sample, built, tmp_path):
    """A home of its own with the sample site, to be searched; gives the address of the site."""
    shutil.copytree(built, tmp_path / "home" / "index", symlinks=True)
    return sample[1]


@pytest.fixture
def opilio(tmp_path, monkeypatch, capsys):
    """Runs a command on a home of its own; gives what it says, as JSON unless told otherwise."""
    monkeypatch.setenv("OPILIO_HOME", str(tmp_path / "home"))

    def run(*arguments, code=0, plain=False):
        capsys.readouterr()
        first, *rest = map(str, arguments)
        verbs = [first, rest.pop(0)] if first in ("index", "crawl") else [first]
        assert main([*verbs, *([] if plain else ["--json"]), *rest]) == code
        told = capsys.readouterr()
        if code:
            return told.err
        return told.out if plain else json.loads(told.out)

    return run
