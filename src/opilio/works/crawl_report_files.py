"""Writes the report of a crawl: `report.json` for programs, `report.html` for people. Each appears whole."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from opilio.kernel.files import write_atomically
from opilio.works.crawl_folder import CrawlFolder
from opilio.works.crawl_report_page import html_report


def write_report(place: CrawlFolder, report: Mapping[str, Any]) -> None:
    """Both files, into the crawl's folder."""
    write_atomically(place.report, json.dumps(report, indent=1, ensure_ascii=False).encode("utf-8", "replace"))
    write_page(place.report_page, report)


def write_page(path: Path, report: Mapping[str, Any]) -> None:
    """The page alone, wherever it is wanted."""
    write_atomically(path, html_report(report).encode("utf-8", "replace"))
