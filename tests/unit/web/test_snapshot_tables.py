"""What a harvest was run with, as tables that people read."""

from opilio.web.snapshot_tables import spoken, tables


def test_sections_come_in_a_readable_order_and_none_is_lost():
    """Known ones first, unknown ones behind."""
    found = tables({"zebra": {"a": 1}, "software": {"opilio": "1"}, "target": {"name": "Owls"}, "seeds": []})
    assert [part.title for part in found] == ["Target or group", "Seeds", "Software", "Zebra"]
    assert found[1].nothing == "None."


def test_inner_parts_are_named_by_their_way():
    """So that no value stands without its place."""
    (part,) = tables({"plan": {"scope": {"kind": "host", "max_depth": 3}, "seeds": [{"url": "http://a.example/"}]}})
    assert list(part.tables[0].rows) == [
        ("Scope › Kind", "host"), ("Scope › Max depth", "3"), ("Seeds", "URL: http://a.example/"),
    ]  # fmt: skip


def test_items_of_a_list_have_a_table_each():
    """Under the name by which people know them."""
    (part,) = tables({"seeds": [{"id": "1", "url": "http://a.example/"}, {"id": "2"}, "odd"]})
    assert [table.title for table in part.tables] == ["http://a.example/", "2", "3"]
    assert part.several


def test_values_are_spoken():
    """Nothing, yes and no, lists, and parts within parts."""
    assert spoken(None) == spoken("") == spoken([]) == "–"
    assert spoken(True) == "yes"
    assert spoken(0) == "0"
    assert spoken([1, False, None]) == "1, no, –"
    assert spoken({"max_pages": {"n": 1}}) == "Max pages: N: 1"
