"""The fields of the index.

Text fields hold terms, which our own analyzer made: the engine only splits at blanks and skips `_`, the stop words,
whose positions so count. One field keeps, compressed, all that the list of results shows.
"""

from typing import Final

import tantivy

from opilio.search.analysis.analyzer import STOP

FORMAT: Final = 1  # raised when older indexes cannot be read
_TOKENIZER: Final = "terms"

#: Fields with terms and their positions.
TEXTS: Final = ("title", "headings", "about", "anchors", "body", "aside", "urlwords")
#: Fields with one exact value, of which facets are counted.
COUNTED: Final = ("site", "kind", "lang")
#: Fields with exact values that only restrict. `domain` holds the host and all domains above it.
EXACT: Final = ("surt", "host", "domain", "type", "target", "harvest", "agency", "access", "crawl", "meta")
#: What stands in `lang` for pages whose language is not known (ISO 639).
UNKNOWN_LANGUAGE: Final = "und"


def schema() -> tantivy.Schema:
    """The schema of every index of this format."""
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("page", indexed=True, fast=True)
    builder.add_unsigned_field("group", indexed=True, fast=True)
    builder.add_unsigned_field("fingerprint", fast=True)
    builder.add_unsigned_field("year", indexed=True, fast=True)
    builder.add_integer_field("date", indexed=True, fast=True)
    builder.add_integer_field("visible", indexed=True, fast=True)
    builder.add_float_field("rank", fast=True)
    for name in TEXTS:
        builder.add_text_field(name, tokenizer_name=_TOKENIZER, index_option="position")
    builder.add_text_field("words", tokenizer_name=_TOKENIZER, index_option="basic")
    for name in COUNTED:
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic", fast=True)
    for name in EXACT:
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field("stored", stored=True)
    return builder.build()


def register(index: tantivy.Index) -> None:
    """Tell an opened index how its text fields are split."""
    analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    index.register_tokenizer(_TOKENIZER, analyzer.filter(tantivy.Filter.custom_stopword([STOP])).build())
