"""What all commands share: quick help, JSON, messages, exit codes."""

import subprocess
import sys

import pytest

from tests.acceptance.cli.answers import document, error

_IMPORTED = """
import sys
from opilio.cli.main import main
code = main({arguments!r})
print(sorted(name for name in sys.modules if name.split('.')[0] in ('django', 'granian', 'psycopg')), file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.parametrize(
    "arguments", [["--help"], ["url", "show", "https://example.org/"], ["config", "show"], ["url", "--help"]]
)
def test_what_needs_no_database_imports_no_django(arguments, bare):
    """Help, URLs and settings are told without loading Django."""
    code = _IMPORTED.format(arguments=arguments)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (0, "[]")


def test_help_names_every_noun(bare):
    """`opilio --help` lists the nouns in a newcomer's order."""
    said = bare("--help").stdout
    assert said.index("demo") < said.index("serve") < said.index("user") < said.index("doctor")


def test_version(bare):
    """`--version` prints the version alone."""
    assert bare("--version").stdout == "0.1.0\n"


def test_unknown_command_is_a_usage_error(bare):
    """A noun that does not exist gets exit code 2 and the way to help."""
    told = error(bare("harvesters", "--json"), 2)
    assert told["code"] == "usage"
    assert told["remedy"] == "Run `opilio --help`."


def test_missing_argument_names_the_command(bare):
    """A usage error names the command that was meant."""
    done = bare("url", "show")
    assert done.returncode == 2
    assert "opilio url show --help" in done.stderr


def test_nothing_typed_shows_help(bare):
    """Without a noun, help is shown and the exit code says that nothing was done."""
    done = bare()
    assert done.returncode == 2
    assert "Commands:" in done.stderr


def test_url_show_takes_a_url_apart(bare):
    """A URL is told with its parts, canonical form, SURT and host key; its password is not."""
    done = bare("url", "show", "HTTPS://user:hidden@www.Example.org:443/a/../b?x=1#part", "--json")
    told = document(done)
    assert told["canonical"] == "https://www.example.org/b?x=1"
    assert told["surt"] == "org,example)/b?x=1"
    assert told["host_key"] == "www.example.org"
    assert told["registrable_domain"] == "example.org"
    assert told["canonical_version"] == 1
    assert "hidden" not in done.stdout


def test_url_show_recognises_private_addresses(bare):
    """An odd spelling of a loopback address is told as private."""
    told = document(bare("url", "show", "http://0x7f.1/", "--json"))
    assert (told["host"], told["private"], told["private_because"]) == ("127.0.0.1", True, "loopback")


def test_url_show_refuses_what_is_no_url(bare):
    """Nonsense gets exit code 2 and an example of a URL."""
    told = error(bare("url", "show", "not a url", "--json"), 2)
    assert told["code"] == "bad-url"
    assert "https://" in told["remedy"]


def test_output_for_pipes_is_plain(bare):
    """Where nobody looks, a table is lines of tabs without colours."""
    done = bare("config", "show")
    first = done.stdout.splitlines()[0]
    assert first.split("\t") == ["setting", "value", "origin", "meaning"]
    assert "\x1b" not in done.stdout


def test_closed_pipe_ends_quietly(bare, tmp_path):
    """A reader that goes away early is no error worth a traceback."""
    script = f"{sys.executable} -m opilio config show | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode in (0, 141)
    assert "Traceback" not in done.stderr
