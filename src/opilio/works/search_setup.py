"""The index of an installation as its settings describe it."""

import functools
from datetime import datetime
from pathlib import Path

from opilio.archive.store.s3_options import s3_options
from opilio.kernel.access import Rules
from opilio.kernel.access_file import AccessFile
from opilio.kernel.access_keys import checking_key
from opilio.kernel.errors import BadSetting
from opilio.kernel.settings import Settings
from opilio.search.nodes.index_contents import RulesNow
from opilio.works.access_home import HomeRules, access_place
from opilio.works.node_token import TOKEN_FILE, read_token
from opilio.works.search_home import INDEX, SearchHome
from opilio.works.sharing.shared_rules import SharedHomeRules, SharedRules
from opilio.works.sharing.work_store import work_store


@functools.lru_cache(maxsize=4)
def search_home(settings: Settings) -> SearchHome:
    """The folder `index/` of the home, with rules of access, token and bucket as the settings say; one per process."""
    return SearchHome(
        settings.home / INDEX,
        rules=rules_of(settings),
        token=read_token(settings.secrets_folder / TOKEN_FILE, needed=False),
        s3=s3_options(settings),
    )


def shared_rules(settings: Settings) -> SharedRules | None:
    """The rules in the work store; None where all machines share the home folder."""
    found = work_store(settings)
    return None if found is None else SharedRules(store=found.store, place=access_place(settings))


def rules_of(settings: Settings) -> RulesNow:
    """The rules of access in force at any time: those that the settings name, else those of this installation.

    Old, broken or lost rules close all.
    """
    if bool(settings.access_rules) != bool(settings.access_rules_key):
        missing = "access_rules_key" if settings.access_rules else "access_rules"
        remedy = "Set both: the compiled rules, and the public key that belongs to them."
        raise BadSetting(f"{missing} is empty", where=missing, remedy=remedy)
    if not settings.access_rules:
        shared = shared_rules(settings)
        return HomeRules(access_place(settings)) if shared is None else SharedHomeRules(shared)
    file = AccessFile(Path(settings.access_rules), checking_key(Path(settings.access_rules_key)))

    def now(at: datetime) -> Rules:
        return file.rules(at)

    return now
