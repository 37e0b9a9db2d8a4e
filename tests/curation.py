"""Rows of curation for tests of whatever needs them, written straight into the tables."""

import datetime
import itertools

from opilio.curation.models import (
    Authorisation,
    AuthorisationAgent,
    AuthorisingAgent,
    Group,
    GroupMember,
    Linked,
    ObjectType,
    PatternMapping,
    Permission,
    PermissionPattern,
    PermissionStatus,
    Profile,
    Schedule,
    Seed,
    SeedPermission,
    State,
    Target,
    UrlPattern,
)
from tests.people import Town


class Desk:
    """Makes rows in a town; what is not told is plain."""

    def __init__(self, town: Town | None = None) -> None:
        self.town = town or Town()
        self._numbers = itertools.count(1)

    def target(self, *, agency=None, owner=None, state=State.PENDING, seeds=(), **fields):
        """A target with seeds."""
        agency = agency or self.town.library
        made = Target(
            object_type=ObjectType.TARGET, name=fields.pop("name", f"Target {next(self._numbers)}"), agency=agency,
            owner=owner or self.town.user(agency=agency), state=state, **self._moments("state_since"), **fields,
        )  # fmt: skip
        made.save()
        for url in seeds:
            self.seed(made, url)
        return made

    def seed(self, target, url="http://www.site.example/", **fields):
        """A seed of a target."""
        host = url.partition("://")[2].partition("/")[0].partition(":")[0]
        made = Seed(target=target, url=url, host=host, **self._moments(), **fields)
        made.save()
        return made

    def group(self, *members, agency=None, owner=None, state=State.GROUP_PENDING, **fields):
        """A group with members."""
        agency = agency or self.town.library
        made = Group(
            object_type=ObjectType.GROUP, name=fields.pop("name", f"Group {next(self._numbers)}"), agency=agency,
            owner=owner or self.town.user(agency=agency), state=state, **self._moments("state_since"), **fields,
        )  # fmt: skip
        made.save()
        for member in members:
            GroupMember(parent=made, child_id=member.pk, at=self.now).save()
        return made

    def agent(self, *, agency=None, **fields):
        """An authorising agent."""
        fields.setdefault("name", f"Publisher {next(self._numbers)}")
        made = AuthorisingAgent(agency=agency or self.town.library, **self._moments(), **fields)
        made.save()
        return made

    def authorisation(self, *patterns, agency=None, agents=(), **fields):
        """An authorisation with patterns and authorising agents."""
        fields.setdefault("title", f"Authorisation {next(self._numbers)}")
        made = Authorisation(agency=agency or self.town.library, **self._moments(), **fields)
        made.save()
        for pattern in patterns:
            UrlPattern(authorisation=made, pattern=pattern, **self._moments()).save()
        for agent in agents:
            AuthorisationAgent(authorisation=made, agent=agent).save()
        return made

    def permission(self, *patterns, authorisation=None, agent=None, agency=None, domains=None, **fields):
        """A permission over the patterns of a new authorisation; `domains` are the keys under which it is found."""
        agency = agency or self.town.library
        agent = agent or self.agent(agency=agency)
        authorisation = authorisation or self.authorisation(*patterns, agency=agency, agents=[agent])
        fields.setdefault("start_date", datetime.date(2020, 1, 1))
        fields.setdefault("status", PermissionStatus.APPROVED)
        made = Permission(authorisation=authorisation, agent=agent, agency=agency, **self._moments(), **fields)
        made.save()
        for number, pattern in enumerate(authorisation.patterns.all()):
            PermissionPattern(permission=made, pattern=pattern).save()
            if domains:
                PatternMapping(permission=made, pattern=pattern, domain=domains[number]).save()
        return made

    def link(self, seed, permission, linked=Linked.MANUAL):
        """Let a seed rely on a permission."""
        made = SeedPermission(seed=seed, permission=permission, linked=linked, at=self.now)
        made.save()
        return made

    def approvable(self, **fields):
        """A target with one seed that relies on an approved permission."""
        made = self.target(**fields)
        self.link(self.seed(made), self.permission("http://www.site.example/*", agency=made.agency))
        return made

    def profile(self, *, agency=None, **fields):
        """A profile with empty settings."""
        fields.setdefault("name", f"Profile {next(self._numbers)}")
        made = Profile(agency=agency or self.town.library, **self._moments(), **fields)
        made.save()
        return made

    def schedule(self, row, *, cron="0 0 21 ? * MON *", **fields):
        """A schedule of a target or group."""
        fields.setdefault("start", self.now)
        fields.setdefault("owner_id", row.owner_id)
        made = Schedule(abstract_target_id=row.pk, cron=cron, time_zone="UTC", **self._moments(), **fields)
        made.save()
        return made

    @property
    def now(self):
        """What the town's clock shows."""
        return self.town.clock.now()

    def _moments(self, *more):
        return dict.fromkeys(("created", "updated", *more), self.now)
