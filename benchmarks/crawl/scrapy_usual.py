"""Scrapy as a user would write it: CrawlSpider, LinkExtractor, text by XPath into a feed, WARC by warcio.

Run by `scrapy runspider` in an environment of its own; needs nothing of this project.
"""

from io import BytesIO

from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter


class WarcMiddleware:
    """Writes each exchange as a pair of records, as received; closest to the downloader."""

    def __init__(self):
        self._file = open("scrapy.warc.gz", "wb")  # noqa: PTH123, SIM115 - open for the life of the spider
        self._writer = WARCWriter(self._file, gzip=True)
        self._writer.write_record(self._writer.create_warcinfo_record("scrapy.warc.gz", {"software": "Scrapy"}))

    def process_response(self, request, response):
        status = StatusAndHeaders(f"{response.status} OK", _pairs(response.headers), protocol="HTTP/1.1")
        asked = StatusAndHeaders(
            f"{request.method} {request.url} HTTP/1.1", _pairs(request.headers), is_http_request=True
        )
        answer = self._writer.create_warc_record(
            response.url, "response", payload=BytesIO(response.body), http_headers=status
        )
        question = self._writer.create_warc_record(request.url, "request", payload=BytesIO(b""), http_headers=asked)
        self._writer.write_request_response_pair(question, answer)
        return response


def _pairs(headers):
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, values in headers.items() for value in values]


class Documents(CrawlSpider):
    """Follows every link inside the hosts and keeps title and text."""

    name = "documents"
    rules = (Rule(LinkExtractor(), callback="parse_page", follow=True),)
    custom_settings = {
        "ROBOTSTXT_OBEY": True,
        "LOG_LEVEL": "INFO",
        "DOWNLOAD_DELAY": 0,
        "FEEDS": {"pages.jsonl": {"format": "jsonlines"}},
        "DOWNLOADER_MIDDLEWARES": {WarcMiddleware: 1000},
    }

    def __init__(self, starts="", hosts="", **more):
        super().__init__(**more)
        self.start_urls = starts.split(",")
        self.allowed_domains = hosts.split(",")

    def parse_start_url(self, response):
        return self.parse_page(response)

    def parse_page(self, response):
        if not isinstance(response, HtmlResponse):
            return
        yield {
            "url": response.url,
            "title": response.css("title::text").get(),
            "text": " ".join(response.xpath("//body//text()").getall()),
        }
