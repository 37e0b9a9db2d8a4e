"""Settings that cannot be used, and those in force."""

import pytest

from tests.acceptance.cli.answers import document, error


def test_config_show_tells_value_and_origin(bare, tmp_path):
    """Each setting is told with its value and where it came from."""
    done = bare("config", "show", "--json", toml=b"[server]\nport = 9001\n", OPILIO_LOG_LEVEL="error")
    told = {one["name"]: one for one in document(done)["settings"]}
    assert (told["server_port"]["value"], told["server_port"]["origin"]) == (9001, str(tmp_path / "opilio.toml"))
    assert told["log_level"]["origin"] == "OPILIO_LOG_LEVEL"
    assert told["mail_host"]["origin"] == "default"
    assert told["server_port"]["sentence"]


def test_config_show_hides_secrets(bare):
    """Of a secret it is only said that it is set."""
    done = bare("config", "show", OPILIO_DATABASE_URL="postgresql://u:verysecret@h/n", OPILIO_MAIL_PASSWORD="hush-hush")
    assert "verysecret" not in done.stdout
    assert "hush-hush" not in done.stdout
    assert "database_url\tset\tOPILIO_DATABASE_URL" in done.stdout


def test_config_check_counts_what_differs(bare):
    """Settings in order are said to be."""
    assert document(bare("config", "check", "--json", OPILIO_LOG_LEVEL="debug"))["changed"].keys() == {
        "home",
        "log_level",
    }


@pytest.mark.parametrize("command", [["config", "show"], ["config", "check"], ["user", "list"], ["serve"]])
def test_unknown_setting_is_refused_everywhere(bare, command):
    """An unknown variable stops every command, and the nearest setting is offered."""
    told = error(bare(*command, "--json", OPILIO_SERVER_PROT="1"), 2)
    assert told["code"] == "unknown-setting"
    assert told["where"] == "variable OPILIO_SERVER_PROT"
    assert "server_port" in told["remedy"]


def test_wrong_type_names_file_and_setting(bare, tmp_path):
    """A text where a number belongs is named with its file."""
    told = error(bare("config", "check", "--json", toml=b'[server]\nport = "eighty"\n'), 2)
    assert told["code"] == "bad-setting"
    assert "server_port" in told["message"]
    assert told["where"] == str(tmp_path / "opilio.toml")


@pytest.mark.parametrize("text", [b"[server\n", b"x = \xff\xfe", b"[server]\nport = 1\nport = 2\n"])
def test_broken_file_is_named(bare, tmp_path, text):
    """A file that is no TOML, or no UTF-8, is named."""
    told = error(bare("config", "check", "--json", toml=text), 2)
    assert told["code"] == "broken-config-file"
    assert told["where"] == str(tmp_path / "opilio.toml")


def test_bad_database_address(bare):
    """An address that names another kind of database is refused without repeating it."""
    done = bare("user", "list", "--json", OPILIO_DATABASE_URL="mysql://u:verysecret@h/n")
    assert error(done, 2)["code"] == "bad-setting"
    assert "verysecret" not in done.stderr
