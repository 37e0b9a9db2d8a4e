"""Writes what is derived from the API into the documentation: the OpenAPI document, and the table of operations.

`python -m opilio.api.document` prints the document, with `--table` the table. DJANGO_SETTINGS_MODULE must be set to
opilio.server.settings, as for every program that uses Django without the CLI.
"""

import json
import sys
from typing import Any

import django
from django.utils.module_loading import import_string

from opilio.api.openapi import BASE, operations

_API = "opilio.api.urls.api"  # by name: models can be imported only after the setup


def text(document: dict[str, Any]) -> str:
    """The document as it is committed."""
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def table(document: dict[str, Any]) -> str:
    """The operations as a table for people."""
    rows = [
        f"| `{method} {BASE}{path}` | {operation['summary']} | {operation.get('description', '')} |"
        for method, path, operation in operations(document)
    ]
    return "\n".join(["| operation | what it does | needs |", "|---|---|---|", *rows]) + "\n"


def main(arguments: list[str]) -> int:
    """Print one of them."""
    django.setup()
    document = import_string(_API).get_openapi_schema()
    sys.stdout.write(table(document) if arguments == ["--table"] else text(document))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
