"""The reference page and the document, served by the installation itself."""

import re

import pytest
from django.contrib.staticfiles import finders

from opilio.api.openapi import operations


@pytest.fixture
def document(stranger):
    """The OpenAPI document as it is served."""
    answer = stranger.get("/openapi.json")
    assert answer.status_code == 200
    return answer.json()


def test_every_operation_is_on_the_page(stranger, document):
    """The page names each operation, with its answers."""
    page = stranger.get("/docs")
    assert page.headers["Content-Type"].startswith("text/html")
    text = page.content.decode()
    for method, path, operation in operations(document):
        assert f'id="{operation["operationId"]}"' in text
        assert f"{method}</span> {path}" in text


def test_nothing_the_policy_forbids(stranger):
    """The page has no script and no inline style, and loads nothing from elsewhere."""
    answer = stranger.get("/docs")
    text = answer.content.decode()
    assert "style-src 'self'" in answer.headers["Content-Security-Policy"]
    assert not re.findall(r"<script|<style|\sstyle=|\son\w+=|https?://", text)
    (sheet,) = re.findall(r'href="/static/([^"]+)"', text)
    assert finders.find(sheet)
