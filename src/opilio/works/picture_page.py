"""The comparison of a page in two crawls as one HTML file: three pictures and a figure, nothing else to load."""

from opilio.archive.screenshots.darkroom import data_url
from opilio.archive.screenshots.pictures import Picture
from opilio.works.markup import Markup, joined, tag
from opilio.works.take_screenshots import Pair

_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 1.5rem; }
h1 { font-size: 1.25rem; overflow-wrap: anywhere; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1rem; }
figure { margin: 0; }
img { width: 100%; height: auto; border: 1px solid GrayText; }
figcaption { padding: 0.25rem 0; }
"""


def picture_page(pair: Pair) -> str:
    """The page."""
    share = share_of(pair.difference.share)
    title = f"Screenshots of {pair.url}"
    figures = joined(
        _figure("Before", pair.before.data, f"The page in the first crawl, {_when(pair.before)}"),
        _figure("After", pair.after.data, f"The page in the second crawl, {_when(pair.after)}"),
        _figure("Difference", pair.difference.picture, f"{share} of the pixels differ; they are red"),
    )
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", Markup(_STYLE)),
    )
    words = tag("p", f"{share} of the pixels differ.")
    main = tag("main", tag("h1", title), words, tag("div", figures, class_="pictures"))
    return f"<!doctype html>\n{tag('html', head, tag('body', main), lang='en')}\n"


def share_of(share: float) -> str:
    """A share for people; what is not nothing is never shown as nothing."""
    return "0 %" if share == 0 else f"{max(share * 100, 0.01):.2f} %"


def _figure(name: str, picture: bytes, words: str) -> Markup:
    image = tag("img", src=data_url(picture), alt=words)
    return tag("figure", image, tag("figcaption", tag("strong", f"{name}."), f" {words}."))


def _when(picture: Picture) -> str:
    return f"taken {picture.at:%Y-%m-%d %H:%M} UTC"
