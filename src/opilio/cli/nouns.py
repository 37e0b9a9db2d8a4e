"""The nouns of the command line: each has a module `opilio.cli.<name>` with a typer `app`."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Noun:
    """A first word after `opilio`."""

    name: str
    sentence: str
    django: bool = False  # whether its module imports models, so that Django must be set up first

    @property
    def module(self) -> str:
        """Where its commands are declared."""
        return f"opilio.cli.{self.name.replace('-', '_')}"


NOUNS: tuple[Noun, ...] = (
    Noun(name="demo", sentence="Show what Opilio does, with sample data, on this machine."),
    Noun(name="serve", sentence="Run pages, API and one agent.", django=True),
    Noun(name="agent", sentence="Run one agent that takes jobs.", django=True),
    Noun(name="crawl", sentence="Crawl web sites into a folder; resume, report and explain."),
    Noun(name="archive", sentence="Check, find, pack and import captures."),
    Noun(name="replay", sentence="Look at a crawl in the browser."),
    Noun(name="index", sentence="Build, publish and look into what is searched."),
    Noun(name="search", sentence="Find pages of crawls by their words."),
    Noun(name="node", sentence="Serve a published generation; look after nodes."),
    Noun(name="delivery", sentence="Check, pull and follow partners' deliveries."),
    Noun(name="centre", sentence="List, make and change centres that deliver.", django=True),
    Noun(name="source", sentence="List, make, change and try sources of centres.", django=True),
    Noun(name="url", sentence="Look at URLs as Opilio sees them."),
    Noun(name="robots", sentence="Ask a robots.txt about a URL."),
    Noun(
        name="target",
        sentence="List, make and change targets and their seeds; move them through their states.",
        django=True,
    ),
    Noun(name="group", sentence="List, make and change groups and their members.", django=True),
    Noun(name="nomination", sentence="Look at nominations; accept or decline them.", django=True),
    Noun(
        name="authorisation",
        sentence="List, make and change authorisations, their patterns and authorising agents.",
        django=True,
    ),
    Noun(name="permission", sentence="List, make and change permissions; ask, remind, explain.", django=True),
    Noun(name="template", sentence="List, make and change texts of permission requests.", django=True),
    Noun(
        name="profile",
        sentence="List, make, compare, import and export profiles; overrides and credentials.",
        django=True,
    ),
    Noun(name="schedule", sentence="List, make and change schedules; show what is planned.", django=True),
    Noun(name="harvest", sentence="List, launch and look into harvests; tell them what to do.", django=True),
    Noun(name="takedown", sentence="Hide, block or destroy captures, with proof.", django=True),
    Noun(name="depository", sentence="Make, change and try depositories.", django=True),
    Noun(name="deposit", sentence="Archive endorsed harvests, and see what became of that.", django=True),
    Noun(name="fixity", sentence="Read kept files again and compare them with their digests.", django=True),
    Noun(name="result", sentence="Review results of harvests: decide, undo, look into them.", django=True),
    Noun(name="flag", sentence="Make coloured flags and put them on harvests.", django=True),
    Noun(name="purge", sentence="Remove the data of harvests that need not be kept.", django=True),
    Noun(name="indicator", sentence="Set and look at the limits that judge results.", django=True),
    Noun(name="review-policy", sentence="Say what an agency leaves to rules of review.", django=True),
    Noun(name="publication", sentence="Publish what is endorsed, and look at how that went.", django=True),
    Noun(name="reading-room", sentence="List, make and change reading rooms.", django=True),
    Noun(
        name="access",
        sentence="Look at the rules of access; compile them; explain who sees a capture.",
        django=True,
    ),
    Noun(name="bandwidth", sentence="Say what the line may carry at which time of the week.", django=True),
    Noun(name="agents", sentence="Look at agents, say what they take, pause and drain them.", django=True),
    Noun(name="report", sentence="Make reports.", django=True),
    Noun(name="wct", sentence="Import from and export to the tables of the Web Curator Tool.", django=True),
    Noun(name="user", sentence="List, make and change users; import and export them.", django=True),
    Noun(name="agency", sentence="List and make agencies.", django=True),
    Noun(name="role", sentence="Look at roles and their privileges.", django=True),
    Noun(name="token", sentence="Make, list and revoke API tokens of a user.", django=True),
    Noun(name="webhook", sentence="Make, change and try webhooks; look at their messages.", django=True),
    Noun(name="audit", sentence="Read the audit log and verify its chain.", django=True),
    Noun(name="db", sentence="Migrate, back up, restore and check the database.", django=True),
    Noun(name="config", sentence="Look at the settings in force."),
    Noun(name="doctor", sentence="Check the installation and say how to mend it."),
)
BY_NAME = {noun.name: noun for noun in NOUNS}
