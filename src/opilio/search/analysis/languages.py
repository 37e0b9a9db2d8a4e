"""Languages by their codes: which stemmer each has, and how a page's own spelling of the code is read (BCP 47)."""

from functools import lru_cache

#: ISO 639-1 → algorithm of Snowball.
STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip

#: Other codes for the same languages: withdrawn ones, kinds of Norwegian, and ISO 639-2 with its two forms.
_SAME = {
    "iw": "he", "in": "id", "ji": "yi", "nb": "no", "nn": "no", "mo": "ro", "sh": "sr", "fil": "tl", "cmn": "zh",
    "ara": "ar", "cat": "ca", "ces": "cs", "cze": "cs", "dan": "da", "deu": "de", "ger": "de", "ell": "el",
    "gre": "el", "eng": "en", "epo": "eo", "spa": "es", "est": "et", "eus": "eu", "baq": "eu", "fas": "fa",
    "per": "fa", "fin": "fi", "fra": "fr", "fre": "fr", "gle": "ga", "hin": "hi", "hun": "hu", "hye": "hy",
    "arm": "hy", "ind": "id", "ita": "it", "lit": "lt", "nep": "ne", "nld": "nl", "dut": "nl", "nor": "no",
    "nob": "no", "nno": "no", "pol": "pl", "por": "pt", "ron": "ro", "rum": "ro", "rus": "ru", "srp": "sr",
    "sot": "st", "swe": "sv", "tam": "ta", "tur": "tr", "yid": "yi", "zho": "zh", "chi": "zh", "jpn": "ja",
    "kor": "ko", "tha": "th", "heb": "he", "ukr": "uk", "bul": "bg", "vie": "vi",
}  # fmt: skip
_LONGEST = 35  # characters of a language tag that are looked at, after RFC 5646 §4.4.1


@lru_cache(maxsize=4_096)
def language_code(tag: str) -> str:
    """The language of a tag such as `en-GB` or `pt_BR`, in lower case; empty for what is no tag."""
    if len(tag) > _LONGEST:
        return ""
    first = tag.strip().lower().replace("_", "-").partition("-")[0]
    if not (first.isascii() and first.isalpha() and 2 <= len(first) <= 3):
        return ""
    return _SAME.get(first, first)
