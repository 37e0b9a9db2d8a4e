"""Scrapy with all left out that can be: one parse by lexbor, a set of known URLs, no robots, no WARC, no middleware.

Run by `scrapy runspider` in an environment of its own; needs nothing of this project.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from scrapy_lean import Documents as Lean

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


class Documents(Lean):
    """The same pages, with nothing but links and text."""

    custom_settings = {
        "ROBOTSTXT_OBEY": False,
        "LOG_LEVEL": "WARNING",
        "DOWNLOAD_DELAY": 0,
        "TELNETCONSOLE_ENABLED": False,
        "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
        "DOWNLOADER_MIDDLEWARES": {f"scrapy.downloadermiddlewares.{name}": None for name in _OFF},
        "SPIDER_MIDDLEWARES": {f"scrapy.spidermiddlewares.{name}": None for name in _OFF_SPIDER},
    }
