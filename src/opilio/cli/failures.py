"""Turns whatever ends a command early into a message on standard error and an exit code.

The codes are listed in docs/reference/exit-codes.md, which is generated from EXIT_CODES and the tree of errors.
"""

import json
import os
import re
import sys
import traceback
from collections.abc import Callable
from typing import Any

import typer

from opilio.cli.output import ReaderGone, Wanted
from opilio.kernel.errors import OpilioError

USAGE, NOTHING_FETCHED, BUG, INTERRUPTED = 2, 8, 70, 130
#: Codes that no error class stands for.
EXIT_CODES = {
    0: "Done.",
    1: "`opilio doctor` found something that does not work.",
    NOTHING_FETCHED: "A crawl ended as it should, and nothing at all was fetched; its report tells why.",
    BUG: "A fault of Opilio itself; the message names the id to report, `--debug` shows the traceback.",
    INTERRUPTED: "Interrupted from the keyboard.",
    ReaderGone.exit_code: "Whoever read the output closed it early.",
}


def guarded(work: Callable[[], int], *, wanted: Wanted, correlation: str) -> int:
    """Run `work`; its exit code, or that of its failure."""
    try:
        return work()
    except ReaderGone as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the interpreter flushes once more at its end
        return error.exit_code
    except OpilioError as error:
        _traceback(wanted)
        _tell(_document(error), wanted)
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted(wanted)
    except typer.TyperException as error:
        return _usage(error, wanted)
    except Exception as error:  # noqa: BLE001 - the outermost edge: a bug gets its id and its own exit code
        return _bug(error, wanted, correlation)


def _document(error: OpilioError) -> dict[str, Any]:
    told: dict[str, Any] = {
        "code": error.code,
        "message": error.what,
        "where": error.where,
        "remedy": error.remedy,
    }
    for name, attribute in (("fields", "messages"), ("faults", "faults")):
        if value := getattr(error, attribute, None):
            told[name] = value
    return told


def _usage(error: typer.TyperException, wanted: Wanted) -> int:
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.format_message(), file=sys.stderr)
        return USAGE
    where = context.command_path if context is not None else "opilio"
    message = error.format_message().rstrip(".")
    _tell({"code": "usage", "message": message, "where": where, "remedy": f"Run `{where} --help`."}, wanted)
    return USAGE


def _interrupted(wanted: Wanted) -> int:
    _tell({"code": "interrupted", "message": "Interrupted", "where": "", "remedy": ""}, wanted)
    return INTERRUPTED


def _bug(error: Exception, wanted: Wanted, correlation: str) -> int:
    _traceback(wanted)
    remedy = "Run it again with `opilio --debug …` to see the traceback, and report it with the id."
    message = f"Opilio made a mistake: {type(error).__name__}"
    _tell({"code": "bug", "message": message, "where": f"id {correlation}", "remedy": remedy}, wanted)
    return BUG


def _traceback(wanted: Wanted) -> None:
    if wanted.debug:
        traceback.print_exc()


def _tell(document: dict[str, Any], wanted: Wanted) -> None:
    if wanted.as_json:
        print(json.dumps({"error": document}, ensure_ascii=False), file=sys.stderr)
        return
    place = f" ({document['where']})" if document["where"] else ""
    remedy = f"\n{document['remedy']}" if document["remedy"] else ""
    lines = "".join(f"\n  {fault}" for fault in document.get("faults", ()))
    lines += "".join(f"\n  {name}: {text}" for name, texts in document.get("fields", {}).items() for text in texts)
    print(f"Error: {_sentence(document['message'].rstrip('.'))}{place}.{lines}{remedy}", file=sys.stderr)


def _sentence(message: str) -> str:
    """The message with a capital at its beginning, unless it begins with a name, which stays as it is."""
    first = message.partition(" ")[0]
    return message if re.search(r"[./_A-Z0-9]", first) else f"{message[:1].upper()}{message[1:]}"
