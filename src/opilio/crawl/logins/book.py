"""The credentials that a crawl was given, by name; and whether a plan can be carried out with them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from opilio.crawl.logins.credential import Credential
from opilio.crawl.logins.errors import BadCredentials, UnknownCredential
from opilio.crawl.plan import CrawlPlan, Seed
from opilio.kernel.urls import canonical


@dataclass(frozen=True, slots=True)
class CredentialBook:
    """Handed from process to process, never written down."""

    credentials: Mapping[str, Credential] = field(default_factory=dict)

    def get(self, name: str) -> Credential | None:
        """The credential of a name."""
        return self.credentials.get(name)

    def require(self, plan: CrawlPlan) -> None:
        """`UnknownCredential` when a seed names one that is not here, `BadCredentials` when it is for other hosts."""
        for seed in plan.seeds:
            if seed.active and seed.credential:
                self._require(seed)

    def _require(self, seed: Seed) -> None:
        found = self.credentials.get(seed.credential)
        if found is None:
            raise UnknownCredential(
                f"the seed needs the credential {seed.credential[:80]!r}, and none of that name was given",
                where=seed.url,
                remedy="Name the file that holds it with --login FILE; it is not kept with the crawl.",
            )
        if not found.reach.names(canonical(seed.url)):
            raise BadCredentials(
                f"the credential {seed.credential[:80]!r} is not for the host of the seed",
                where=seed.url,
                remedy="Add the host to its `hosts`, or give the seed another credential.",
            )

    def assigned(self, plan: CrawlPlan) -> CrawlPlan:
        """The plan with a credential for each seed that has none and whose host one is for; the longest path wins."""
        seeds = tuple(seed if seed.credential else self._assigned(seed) for seed in plan.seeds)
        if self.credentials and not any(seed.credential for seed in seeds):
            raise BadCredentials(
                "none of the credentials is for the host of a seed",
                where=plan.seeds[0].url,
                remedy="Correct `hosts` or `domain` in the file, or leave --login out.",
            )
        return replace(plan, seeds=seeds)

    def _assigned(self, seed: Seed) -> Seed:
        url = canonical(seed.url)
        path = url.split("/", 3)[3]
        fit = [c for c in self.credentials.values() if c.reach.names(url) and f"/{path}".startswith(c.reach.path)]
        fit.sort(key=lambda credential: len(credential.reach.path), reverse=True)
        if len(fit) > 1 and len(fit[0].reach.path) == len(fit[1].reach.path):
            raise BadCredentials(
                f"the credentials {fit[0].name!r} and {fit[1].name!r} are for the same place",
                where=seed.url,
                remedy="Tell them apart by `hosts` or `path`.",
            )
        return replace(seed, credential=fit[0].name, logout=fit[0].logout) if fit else seed


EMPTY = CredentialBook()
