"""What is true of every command."""

from opilio.cli.passwords import generated
from opilio.cli.reference import commands
from opilio.people.passwords import Policy, faults

_LEAVES = [(name, command) for name, command in commands() if not hasattr(command, "commands")]


def test_every_command_takes_json():
    """No command lacks --json."""
    assert [name for name, one in _LEAVES if not any("--json" in param.opts for param in one.params)] == []


def test_every_command_and_option_has_help():
    """A sentence stands beside every command and every visible option."""
    assert [name for name, one in commands() if not (one.help or "").strip()] == []
    silent = [
        f"{name} {param.name}"
        for name, one in commands()
        for param in one.params
        if not getattr(param, "hidden", False) and not getattr(param, "help", None)
    ]
    assert silent == []


def test_no_option_takes_a_password():
    """Passwords come from the terminal or standard input, never as a value in the command line."""
    flags = [param for _, one in _LEAVES for param in one.params if "password" in (param.name or "")]
    assert flags
    assert [param.name for param in flags if not param.is_flag] == []


def test_generated_passwords_keep_to_the_policy():
    """Whatever length the settings ask for, a generated password has it."""
    for length in (8, 12, 40, 128):
        policy = Policy(min_length=length, history=0)
        assert faults(generated(policy), policy=policy, account_words=["administrator"]) == []
    assert len({generated(Policy(min_length=12, history=0)) for _ in range(100)}) == 100
