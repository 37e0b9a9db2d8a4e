"""`opilio crawl URL… --into DIR`, and what can be asked of such a folder. Without a verb, a crawl is started."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from opilio.cli import crawl_control, crawl_explain, crawl_keep, crawl_pictures, crawl_report
from opilio.cli.command import command, typed
from opilio.cli.crawl_login import LOGIN, book_from
from opilio.cli.crawl_pictures import SCREENSHOTS
from opilio.cli.crawl_plan import Given, plan_from, refuse_beside
from opilio.cli.crawl_progress import crawl_view
from opilio.cli.failures import NOTHING_FETCHED
from opilio.cli.output import Answer
from opilio.crawl.fetch.exchange import Trouble
from opilio.crawl.logins.book import CredentialBook
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import Order, Preset, RobotsPolicy, ScopeKind
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.crawl_to_archive import MOST_WORKERS, CrawlSummary, Crew, crawl
from opilio.works.crawl_to_archive import resume as resume_crawl
from opilio.works.plan_file import read_plan
from opilio.works.seal_at_end import Sealing

STOPPED = 130
#: What a plan does not say, and may be given beside it.
_BESIDE = frozenset({"plan", "into", "workers", "keep_open", "login", "store", "ca_file", "screenshots", "as_json"})
#: Outcomes of which a crawl has something to show.
_KEPT = frozenset({Outcome.FETCHED, Outcome.UNCHANGED, Outcome.DUPLICATE, Outcome.UNPARSABLE})


class Verbs(TyperGroup):
    """Starts a crawl when the first word is no verb."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the verb in that was left out."""
        if args and args[0] not in self.commands and args[0] not in ("--help", "--json"):
            args = ["start", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=Verbs,
    help="Crawl web sites into a folder: `opilio crawl URL… --into DIR`.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
app.callback()(lambda: None)

_FOLDER = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the crawl.", show_default=False)]
_STORE = Annotated[
    str, typer.Option("--store", help="PostgreSQL database for the crawl store; default: a file in DIR.")
]
_WORKERS = Annotated[int, typer.Option(help="Processes that fetch.", min=1, max=MOST_WORKERS)]
_CA = Annotated[str, typer.Option("--ca-file", help="Certificate authorities to trust instead of the system's.")]
_OPEN = Annotated[bool, typer.Option("--keep-open", help="Do not seal it at its end: a limit can be raised later.")]


@command(app, "start")
def start(
    context: typer.Context,
    urls: Annotated[
        list[str] | None, typer.Argument(metavar="URL…", help="Where to start.", show_default=False)
    ] = None,
    *,
    into: Annotated[Path, typer.Option("--into", metavar="DIR", help="A new or empty folder.", show_default=False)],
    plan: Annotated[
        Path | None, typer.Option("--plan", metavar="FILE", help="The whole plan as JSON, instead of URLs and options.")
    ] = None,
    seeds: Annotated[Path | None, typer.Option("--seeds", help="A file with further URLs, one per line.")] = None,
    scope: Annotated[ScopeKind, typer.Option(help="How far from each URL to go.")] = ScopeKind.PREFIX,
    root: Annotated[str, typer.Option(help="Only URLs that begin with this; overrides --scope.")] = "",
    depth: Annotated[int | None, typer.Option(help="Links from the start; 0: the pages themselves.", min=0)] = None,
    max_pages: Annotated[int | None, typer.Option(help="Stop after so many pages; embeds do not count.", min=0)] = None,
    max_bytes: Annotated[int | None, typer.Option(help="Stop soon after so many bytes came.", min=0)] = None,
    max_seconds: Annotated[int | None, typer.Option(help="Stop after so many seconds.", min=0)] = None,
    exclude: Annotated[list[str] | None, typer.Option(help="Leave out URLs that match (RE2); repeatable.")] = None,
    exclude_url: Annotated[list[str] | None, typer.Option(help="Leave out exactly this URL; repeatable.")] = None,
    include: Annotated[list[str] | None, typer.Option(help="Take back from the exclusions (RE2); repeatable.")] = None,
    append: Annotated[str, typer.Option(help="Add this to every URL that is asked for.")] = "",
    order: Annotated[Order, typer.Option(help="Which URLs of a host come first.")] = Order.BREADTH,
    preset: Annotated[Preset, typer.Option(help="How gently to crawl.")] = Preset.NORMAL,
    delay: Annotated[float | None, typer.Option(help="Seconds between requests to a host.", min=0)] = None,
    workers: _WORKERS = 1,
    robots: Annotated[RobotsPolicy, typer.Option(help="What robots.txt means.")] = RobotsPolicy.OBEY,
    user_agent: Annotated[str, typer.Option(help="The whole User-Agent header.")] = "",
    contact: Annotated[str, typer.Option(help="E-mail address or URL for webmasters; needed for public sites.")] = "",
    allow_private: Annotated[bool, typer.Option("--allow-private", help="Fetch private addresses too.")] = False,
    private_range: Annotated[list[str] | None, typer.Option(help="Allow these private addresses only.")] = None,
    offsite_embeds: Annotated[bool, typer.Option(help="Take images and styles from other hosts.")] = True,
    sitemaps: Annotated[bool, typer.Option(help="Read the sitemaps that robots.txt names.")] = True,
    detect_language: Annotated[
        bool, typer.Option("--detect-language", help="Guess the language of pages that declare none.")
    ] = False,
    since: Annotated[Path | None, typer.Option(metavar="DIR", help="Take only what changed since this crawl.")] = None,
    revisits: Annotated[bool, typer.Option(help="Write bodies that are kept already no second time.")] = True,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="[HOST=]URL", help="Go through this proxy, or `direct`; repeatable."),
    ] = None,
    proxy_dns: Annotated[bool, typer.Option("--proxy-dns", help="Let proxies look names up, unchecked.")] = False,
    screenshots: SCREENSHOTS = False,
    keep_open: _OPEN = False,
    login: LOGIN = None,
    store: _STORE = "",
    ca_file: _CA = "",
) -> Answer:
    """Crawl into a new folder. Ctrl-C stops it so that it can be resumed; a second Ctrl-C stops it at once."""
    if plan is not None:
        refuse_beside(typed(context) - _BESIDE)
    chosen = read_plan(plan) if plan is not None else plan_from(
        Given(
            urls=tuple(urls or ()), seeds_file=seeds, scope=scope, root=root, depth=depth, max_pages=max_pages,
            max_bytes=max_bytes, max_seconds=max_seconds, exclude=tuple(exclude or ()),
            exclude_url=tuple(exclude_url or ()), include=tuple(include or ()), append=append, order=order,
            preset=preset, delay=delay, robots=robots, user_agent=user_agent, contact=contact,
            allow_private=allow_private, private_range=tuple(private_range or ()), offsite_embeds=offsite_embeds,
            sitemaps=sitemaps, detect_language=detect_language, since=since, revisits=revisits,
            proxy=tuple(proxy or ()), proxy_dns=proxy_dns,
        )
    )  # fmt: skip
    pictures = screenshots or chosen.report.screenshots
    crawl_pictures.require(pictures)
    book = book_from(login)
    chosen = book.assigned(chosen)
    with _crew(workers=workers, store=store, ca_file=ca_file, book=book, keep_open=keep_open) as crew:
        summary = crawl(chosen, into, crew)
    return crawl_pictures.add(_answer(summary), pictures, summary, crew.address)


@command(app, "resume")
def resume(
    folder: _FOLDER,
    workers: _WORKERS = 1,
    keep_open: _OPEN = False,
    screenshots: SCREENSHOTS = False,
    login: LOGIN = None,
    store: _STORE = "",
    ca_file: _CA = "",
) -> Answer:
    """Go on with a crawl that was stopped, or that fell."""
    crawl_pictures.require(screenshots)
    with _crew(workers=workers, store=store, ca_file=ca_file, book=book_from(login), keep_open=keep_open) as crew:
        summary = resume_crawl(folder, crew)
    return crawl_pictures.add(_answer(summary), screenshots, summary, crew.address)


crawl_explain.add_to(app)
crawl_report.add_to(app)
crawl_control.add_to(app)
crawl_keep.add_to(app)


@contextmanager
def _crew(*, workers: int, store: str, ca_file: str, book: CredentialBook, keep_open: bool) -> Iterator[Crew]:
    """Who crawls, watched by whoever typed the command."""
    with crawl_view() as look:
        yield Crew(
            workers=workers, address=StoreAddress(url=store), look=look, signals=True,
            ca_file=ca_file, book=book, sealing=Sealing(keep_open=keep_open),
        )  # fmt: skip


def _answer(summary: CrawlSummary) -> Answer:
    document = {"folder": str(summary.folder), **summary.report}
    notes = [] if summary.whole else [f"Stopped. Go on with: opilio crawl resume {summary.folder}"]
    page = CrawlFolder(summary.folder).report_page
    notes += [f"With plots, for a browser: {page}"] if page.is_file() else []
    notes += [f"Sealed into {summary.result}"] if summary.result else []
    code = 0 if summary.whole else STOPPED
    if summary.whole and not any(summary.report["outcomes"].get(outcome) for outcome in _KEPT):
        notes += _nothing(summary)
        code = NOTHING_FETCHED
    return Answer(document=document, parts=[*crawl_report.parts(summary.report), *notes], exit_code=code)


def _nothing(summary: CrawlSummary) -> list[str]:
    """What to do about a crawl that fetched nothing."""
    reasons = [str(each["reason"]) for each in summary.report["failed_seeds"]["listed"]]
    if any(reason.startswith(Trouble.PRIVATE_ADDRESS) for reason in reasons):
        return [
            "Nothing was fetched: addresses of this machine and of private networks are asked for only with "
            f"--allow-private or --private-range. Remove {summary.folder} or name another folder, and start again."
        ]
    return ["Nothing was fetched; the outcomes and their reasons tell why."]
