"""Scrapy with a fast parser: links and text by lexbor in one go, its own set of known URLs; robots and WARC stay.

Run by `scrapy runspider` in an environment of its own; needs nothing of this project.
"""

import sys
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from scrapy import Request, Spider
from selectolax.lexbor import LexborHTMLParser

sys.path.insert(0, str(Path(__file__).parent))
from scrapy_usual import WarcMiddleware


class Documents(Spider):
    """Follows every link inside the hosts and keeps the text."""

    name = "documents"
    custom_settings = {
        "ROBOTSTXT_OBEY": True,
        "LOG_LEVEL": "WARNING",
        "DOWNLOAD_DELAY": 0,
        "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
        "DOWNLOADER_MIDDLEWARES": {WarcMiddleware: 1000},
    }

    def __init__(self, starts="", hosts="", **more):
        super().__init__(**more)
        self._starts = starts.split(",")
        self._hosts = tuple({f"http://{urlsplit(start).netloc}/" for start in self._starts})
        self._seen = set(self._starts)
        self._texts = open("texts.txt", "w", encoding="utf-8")  # noqa: PTH123, SIM115 - open for the life of the spider

    async def start(self):
        for url in self._starts:
            yield Request(url, dont_filter=True)

    def parse(self, response):
        if not response.headers.get("Content-Type", b"").startswith(b"text/html") or response.status != 200:
            return
        tree = LexborHTMLParser(response.body)
        title = tree.css_first("title")
        self._texts.write(f"{response.url}\n{title.text() if title else ''}\n{tree.body.text() if tree.body else ''}\n")
        base = response.url
        hrefs = {(node.attributes.get("href") or "").partition("#")[0] for node in tree.css("a[href], area[href]")}
        for href in hrefs:
            url = urljoin(base, href)
            if url not in self._seen and url.startswith(self._hosts):
                self._seen.add(url)
                yield Request(url, dont_filter=True)
