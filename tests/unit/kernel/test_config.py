"""Settings from file and environment: typed, with their origin, and clear about what is wrong."""

import pytest

from opilio.kernel import config
from opilio.kernel.errors import BadSetting, BrokenConfigFile, UnknownSetting


def load(tmp_path, toml=None, **environ):
    if toml is not None:
        (tmp_path / "opilio.toml").write_bytes(toml if isinstance(toml, bytes) else toml.encode())
    return config.load(environ, tmp_path)


def test_without_anything_the_defaults_are_in_force(tmp_path):
    """And say so."""
    loaded = load(tmp_path)
    assert loaded.settings.server_port == 8000
    assert loaded.settings.home == tmp_path / "var"
    assert set(loaded.origins.values()) == {"default"}


def test_the_environment_wins_over_the_file_and_the_file_over_the_default(tmp_path):
    """Each value remembers where it came from."""
    toml = "time_zone = 'Europe/Paris'\n[server]\nport = 9000\nhost = '::1'\n"
    loaded = load(tmp_path, toml, OPILIO_SERVER_PORT="9001")
    assert (loaded.settings.server_port, loaded.settings.server_host) == (9001, "::1")
    assert loaded.origins["server_port"] == "OPILIO_SERVER_PORT"
    assert loaded.origins["server_host"] == str(tmp_path / "opilio.toml")
    assert loaded.origins["mail_host"] == "default"


def test_a_home_in_the_file_is_relative_to_the_file(tmp_path):
    """One in the environment is relative to where the program was started."""
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "opilio.toml").write_text("home = 'data'")
    found = config.load({"OPILIO_CONFIG": "etc/opilio.toml"}, tmp_path)
    assert found.settings.home == tmp_path / "etc" / "data"
    assert load(tmp_path, OPILIO_HOME="data").settings.home == tmp_path / "data"


def test_an_unknown_setting_is_refused_with_the_nearest_known_one(tmp_path):
    """In the file and in the environment."""
    with pytest.raises(UnknownSetting, match="Did you mean server_port"):
        load(tmp_path, OPILIO_SERVER_PRT="1")
    with pytest.raises(UnknownSetting, match=r"\[server\] prt"):
        load(tmp_path, "[server]\nprt = 1")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OPILIO_SERVER_PORT", "many"),
        ("OPILIO_SERVER_PORT", "70000"),
        ("OPILIO_SERVER_PORT", "-1"),
        ("OPILIO_SERVER_PORT", "8000.5"),
        ("OPILIO_MAIL_TIMEOUT", "nan"),
        ("OPILIO_SERVER_BEHIND_TLS", "perhaps"),
        ("OPILIO_LOG_LEVEL", "loud"),
        ("OPILIO_MAIL_HOST", "a\x00b"),
    ],
)
def test_a_value_of_the_wrong_type_or_range_is_refused(tmp_path, name, value):
    """The message names the setting, the variable and what it is for."""
    with pytest.raises(BadSetting) as caught:
        load(tmp_path, **{name: value})
    assert name in str(caught.value)
    assert name.removeprefix("OPILIO_").lower() in str(caught.value)


@pytest.mark.parametrize(
    "toml", ["[server]\nport = '8000x'", "[server]\nport = true", "[server]\nport = 1.5", "home = 3"]
)
def test_a_value_of_the_wrong_type_in_the_file_is_refused(tmp_path, toml):
    """The message names the file."""
    with pytest.raises(BadSetting, match=r"opilio\.toml"):
        load(tmp_path, toml)


@pytest.mark.parametrize(
    "toml", ["port = = 1", b"\xff\xfe", "x = '" + "y" * 1_100_000 + "'"], ids=["toml", "utf8", "size"]
)
def test_a_broken_file_is_refused(tmp_path, toml):
    """Not TOML, not UTF-8, or far too large."""
    with pytest.raises(BrokenConfigFile, match=r"opilio\.toml"):
        load(tmp_path, toml)


def test_a_named_file_must_exist(tmp_path):
    """A typing error in OPILIO_CONFIG does not silently give the defaults."""
    with pytest.raises(BrokenConfigFile, match="OPILIO_CONFIG"):
        load(tmp_path, OPILIO_CONFIG="nowhere.toml")


def test_a_wrong_secret_is_not_shown(tmp_path):
    """The message about a secret's value does not repeat it."""
    with pytest.raises(BadSetting) as caught:
        load(tmp_path, OPILIO_MAIL_PASSWORD="swordfish\x00")
    assert "swordfish" not in str(caught.value)


def test_lists_are_written_with_commas_or_as_arrays(tmp_path):
    """The environment has only text."""
    toml = "[server]\nallowed_hosts = ['a', 'b']"
    assert load(tmp_path, toml).settings.server_allowed_hosts == ("a", "b")
    assert load(tmp_path, OPILIO_SERVER_ALLOWED_HOSTS="a, b,").settings.server_allowed_hosts == ("a", "b")


def test_every_setting_has_a_sentence_and_numbers_have_limits():
    """Who would change it can read what it is for."""
    for name in config.names():
        rule = config.rule(name)
        assert rule.sentence.endswith(".")
        if isinstance(config.default(name), int | float) and not isinstance(config.default(name), bool):
            assert rule.minimum is not None
            assert rule.maximum is not None


def test_variables_of_the_tests_are_no_settings(tmp_path):
    """They steer the test run."""
    assert load(tmp_path, OPILIO_TEST_SEED="7").settings.server_port == 8000
