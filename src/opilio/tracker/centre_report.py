"""What a centre is told, written down: text, HTML, JSON, CSV."""

import csv
import io
import json
from html import escape
from typing import Any

from opilio.deliveries.pages import page, table
from opilio.tracker.queries.centre_report import CentreReport
from opilio.tracker.queries.issues import Issue

FORMS = ("text", "html", "json", "csv")
_LINES = 100  # issues in a letter
_COLUMNS = ("delivery", "document", "line", "column", "kind", "level", "message")


def written(report: CentreReport, form: str) -> str:
    """The report in one of the forms."""
    return {"text": as_text, "html": as_html, "json": as_json, "csv": as_csv}[form](report)


def as_json(report: CentreReport) -> str:
    """For programs."""
    return json.dumps(plain(report), ensure_ascii=False, indent=1) + "\n"


def plain(report: CentreReport) -> dict[str, Any]:
    """As JSON can hold it."""
    return {
        "centre": report.centre, "name": report.name, "at": report.at.isoformat(),
        "since": report.since.isoformat() if report.since else None, "counts": dict(report.counts),
        "deliveries": [dict(one) for one in report.deliveries], "issues": [one.plain() for one in report.issues],
        "not_resubmitted": [dict(one) for one in report.missing],
    }  # fmt: skip


def as_csv(report: CentreReport) -> str:
    """The issues, a line for each."""
    made = io.StringIO()
    writer = csv.writer(made)
    names = list(Issue.__slots__)
    writer.writerow(names)
    for one in report.issues:
        values = one.plain()
        writer.writerow([_harmless(values[name]) for name in names])
    return made.getvalue()


def as_text(report: CentreReport) -> str:
    """For a letter."""
    lines = [f"Deliveries of {report.name} ({report.centre}), {report.at:%Y-%m-%d %H:%M} UTC", ""]
    lines += [f"{number} × {what}" for what, number in sorted(report.counts.items())] or ["No delivery."]
    lines += ["", "What is wrong:" if report.issues else "Nothing is wrong."]
    for one in report.issues[:_LINES]:
        place = f", line {one.line}" if one.line else ""
        place += f", column {one.column}" if one.column else ""
        lines.append(f"- {one.delivery}{' ' + one.document if one.document else ''}{place}: {one.message}")
    if len(report.issues) > _LINES:
        lines.append(f"… and {len(report.issues) - _LINES} more.")
    if report.missing:
        lines += ["", "Failed and not delivered again:"]
        lines += [f"- {one['kind']} {one['key']}" for one in report.missing[:_LINES]]
    return "\n".join(lines) + "\n"


def as_html(report: CentreReport) -> str:
    """A page."""
    parts = [f"<p>{escape(report.name)}, {report.at:%Y-%m-%d %H:%M} UTC.</p><h2>Deliveries</h2>"]
    columns = ("file", "action", "phase", "status", "why")
    parts.append(table([name.capitalize() for name in columns], [[one[name] for name in columns]
                                                                 for one in report.deliveries]))  # fmt: skip
    parts.append("<h2>What is wrong</h2>")
    rows = [[_shown(getattr(one, name)) for name in _COLUMNS] for one in report.issues]
    parts.append(table([name.capitalize() for name in _COLUMNS], rows) if rows else "<p>Nothing is wrong.</p>")
    if report.missing:
        parts.append("<h2>Failed and not delivered again</h2>")
        parts.append(table(("Kind", "Key"), [(one["kind"], one["key"]) for one in report.missing]))
    return page(f"Deliveries of {report.centre}", "".join(parts))


def _shown(value: object) -> object:
    return "" if value is None else value


def _harmless(value: object) -> object:
    """Nothing that a spreadsheet would take for a formula."""
    text = _shown(value)
    return f"'{text}" if isinstance(text, str) and text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
