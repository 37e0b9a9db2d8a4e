"""What a crawl came to, as one document that JSON can carry; a page for people is made of it by `works`."""

from opilio.crawl.report.document import REPORT_VERSION, parts_of, report_of

__all__ = ["REPORT_VERSION", "parts_of", "report_of"]
