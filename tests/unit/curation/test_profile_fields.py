"""Every setting of a profile has a field with words, and survives being typed."""

from opilio.curation.profile_fields import Control, from_typed, profile_fields, to_typed
from opilio.curation.profile_settings import RESERVED, ProfileSettings, from_plain, leaves


def test_every_setting_has_a_field():
    """Nothing that a crawl understands is missing from the form, nothing stands there twice."""
    places = [field.place for _, fields in profile_fields() for field in fields]
    assert sorted(places) == sorted({place for place, _ in leaves(ProfileSettings())} - set(RESERVED))
    assert all(field.label and field.help.endswith(".") for _, fields in profile_fields() for field in fields)


def test_controls_fit_their_values():
    """Choices have their values, lists a line each."""
    fields = {field.place: field for _, group in profile_fields() for field in group}
    assert fields["scope.kind"].control is Control.CHOICE
    assert "prefix" in fields["scope.kind"].choices
    assert fields["scope.exclude"].control is Control.LINES
    assert fields["fetch.proxies"].control is Control.PAIRS
    assert fields["limits.pages"].optional
    assert not fields["manners.tries"].optional


def test_what_is_typed_means_the_same():
    """Settings, typed and read again, are equal."""
    settings = from_plain({
        "scope": {"exclude": ["/a/", "/b/"], "query": {"rule": "drop-named", "names": ["sid", "a=b"]}, "max_size": 7},
        "manners": {"robots_by_host": {"a.example": "ignore"}, "delay": 0.5},
        "fetch": {"proxies": {"*": "http://proxy.example:3128"}},
    })  # fmt: skip
    assert from_plain(from_typed(to_typed(settings))) == settings
    assert from_plain(from_typed(to_typed(ProfileSettings()))) == ProfileSettings()
