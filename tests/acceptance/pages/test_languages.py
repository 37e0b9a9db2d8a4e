"""The pages speak the reader's language: what was chosen, else what the browser asks for; the API stays English."""

import gettext
import io
import re

import pytest
from django.utils import translation

from opilio.web import languages
from opilio.web.templatetags.shell import grouped
from tests.acceptance.pages.test_smoke import LISTS, PAGES
from tests.german import english
from tests.languages import MO, PO, compiled, read, required

GERMAN = {"headers": {"accept-language": "de-AT,de;q=0.8,en;q=0.3"}}
#: Lists and forms of every part.
MORE = (
    "/targets", "/targets/new", "/groups", "/groups/new", "/nominations", "/authorisations", "/authorisations/new",
    "/permissions", "/authorising-agents/new", "/schedule/schedules", "/harvests", "/harvests/now", "/review",
    "/deposits", "/takedowns/new", "/reports", "/deliveries/all", "/deliveries/centres/new",
    "/deliveries/sources", "/admin/profiles/new", "/admin/bandwidth/new", "/admin/templates/new", "/admin/reasons/new",
    "/admin/indicators/new", "/admin/review-policy", "/admin/flags/new", "/admin/reading-rooms/new", "/admin/import",
    "/admin/depositories/new", "/admin/purge", "/admin/schedule-patterns/new", "/fixity", "/publications", "/agents",
)  # fmt: skip


@pytest.fixture(scope="module")
def german():
    """The catalogue."""
    return read()


def test_every_word_has_a_german_counterpart(german, db):
    """Navigation, forms and states are complete; `python -m tests.languages` names what is missing."""
    assert [words for words in required() if not german.get(words)] == []


def test_the_compiled_catalogue_is_that_of_the_text(german):
    """What programs read was made of what people edit; gettext reads it."""
    assert MO.read_bytes() == compiled(german), f"run python -m tests.languages after a change in {PO.name}"
    assert gettext.GNUTranslations(io.BytesIO(MO.read_bytes())).gettext("Harvests") == "Ernten"


def test_german_pages_hold_no_english(administrator, german):
    """Neither navigation nor fields, buttons, headings of tables and states."""
    found = {}
    for path in (*LISTS, *PAGES, *MORE):
        page = administrator.get(path, **GERMAN)
        assert page.status_code == 200, path
        text = page.content.decode()
        assert '<html lang="de"' in text
        found[path] = english(text, german)
    assert {path: words for path, words in found.items() if words} == {}


def test_english_is_found_on_an_english_page(administrator, german):
    """The check would see it."""
    assert {"Targets", "Given name", "Save"} <= english(administrator.see("/account"), german)


def test_somebody_chooses_a_language(administrator):
    """The choice counts more than the browser's wish, and can be taken back."""
    assert ">Ziele</span>" in administrator.get("/in-tray", **GERMAN).content.decode()
    administrator.send("/language", {"language": "en-gb", "next": "/account"})
    page = administrator.get("/account", **GERMAN)
    assert ">Targets</span>" in page.content.decode()
    assert page["Content-Language"] == "en-gb"
    administrator.send("/language", {"language": "de", "next": "/account"})
    assert ">Ziele</span>" in administrator.see("/account")
    administrator.send("/language", {"language": "", "next": "/account"})
    assert ">Targets</span>" in administrator.see("/account")


def test_dates_and_numbers_are_written_as_people_do(administrator):
    """A German date has a point after the day, and a point between thousands."""
    page = administrator.get("/admin/audit", **GERMAN).content.decode()
    assert re.search(r">\d{1,2}\. \w+\.? \d{4}, \d\d:\d\d</time>", page)
    with translation.override("de"):
        assert grouped(12_345) == "12.345"
    assert grouped(12_345) == "12,345"


def test_names_of_rows_are_not_translated():
    """A target may be called as a state is; its identifier tells that it is a name."""
    with translation.override("de"):
        assert languages.offered("32768", "Pending") == "Pending"
        assert languages.offered("1", "Pending") == "Ausstehend"
        assert languages.translated_state("pending") == "ausstehend"
        assert languages.translated("") == ""


def test_the_api_stays_english(administrator):
    """Whatever a browser asks for."""
    told, wished = administrator.get("/api/v1/targets/1"), administrator.get("/api/v1/targets/1", **GERMAN)
    assert told.json()["error"]["message"] == wished.json()["error"]["message"]
    assert "Content-Language" not in wished.headers


def test_a_choice_is_kept_with_the_user(administrator, visitor):
    """In another browser, which asks for nothing, the pages speak what was chosen; the audit log tells of it."""
    administrator.send("/language", {"language": "de", "next": "/account"})
    visitor.sign_in("administrator")
    assert ">Ziele</span>" in visitor.see("/in-tray")
    assert "account.language" in visitor.see("/admin/audit", action="account.language")
    visitor.send("/language", {"language": "", "next": "/account"})
    visitor.cookies.pop(languages.COOKIE, None)
    assert ">Targets</span>" in visitor.see("/in-tray")


def test_only_languages_of_the_pages_are_kept(administrator):
    """Anything else is none."""
    administrator.send("/language", {"language": "tlh", "next": "/account"})
    assert ">Targets</span>" in administrator.see("/account")
