"""Which language a page is recorded with."""

import pytest

from opilio.crawl.page_language import PageLanguage, tag
from opilio.extract.extracted import Extracted
from opilio.extract.page_types import PageType


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("en", "en"), (" de-CH ", "de-CH"), ("pt_BR", "pt-BR"), ("zh-Hans-CN", "zh-Hans-CN"),
        ("", ""), ("en, de", ""), ("x" * 40, ""), ("e", ""), ("<b>", ""), ("en\x00", ""), ("日本", ""), ("en-", ""),
    ],
)  # fmt: skip
def test_what_has_the_shape_of_a_tag_is_kept(words, kept):
    """Whatever else a page writes there is left out."""
    assert tag(words) == kept


def test_the_page_comes_before_its_header():
    """The header counts where the page says nothing, and for text only."""
    languages = PageLanguage()
    html = Extracted(page_type=PageType.HTML, extension="html")
    assert languages.of(Extracted(page_type=PageType.HTML, extension="html", language="fr"), "de") == "fr"
    assert languages.of(html, "de-AT") == "de-AT"
    assert languages.of(html, "de, en") == ""
    assert languages.of(Extracted(page_type=PageType.IMAGE, extension="png"), "de") == ""
