"""Scrapy with all left out that can be: one parse by lexbor, a set of known URLs, no robots, no WARC, no middleware.

Run by `scrapy runspider` in an environment of its own; needs nothing of this project.
"""

from urllib.parse import urljoin, urlsplit

from scrapy import Request, Spider
from selectolax.lexbor import LexborHTMLParser

_OFF = (
    "offsite.OffsiteMiddleware", "robotstxt.RobotsTxtMiddleware", "httpauth.HttpAuthMiddleware",
    "downloadtimeout.DownloadTimeoutMiddleware", "defaultheaders.DefaultHeadersMiddleware",
    "retry.RetryMiddleware", "httpcompression.HttpCompressionMiddleware", "cookies.CookiesMiddleware",
    "httpproxy.HttpProxyMiddleware", "stats.DownloaderStats", "httpcache.HttpCacheMiddleware",
)  # fmt: skip
_OFF_SPIDER = (
    "start.StartSpiderMiddleware", "httperror.HttpErrorMiddleware", "referer.RefererMiddleware",
    "urllength.UrlLengthMiddleware", "depth.DepthMiddleware",
)  # fmt: skip


class Documents(Spider):
    """Follows every link inside the hosts and keeps the text."""

    name = "documents"
    custom_settings = {
        "ROBOTSTXT_OBEY": False,
        "LOG_LEVEL": "WARNING",
        "DOWNLOAD_DELAY": 0,
        "TELNETCONSOLE_ENABLED": False,
        "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
        "DOWNLOADER_MIDDLEWARES": {f"scrapy.downloadermiddlewares.{name}": None for name in _OFF},
        "SPIDER_MIDDLEWARES": {f"scrapy.spidermiddlewares.{name}": None for name in _OFF_SPIDER},
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
