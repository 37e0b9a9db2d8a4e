"""What is true of the sample site, written out by hand, so that a crawl can be held against it.

Paths are as in a request line: percent-encoded, with their query. The lists do not overlap unless a comment says so.
"""

from typing import Final

#: Pages (HTML, status 200) that a polite crawl from `/` finds by following links and embeds, without signing in.
PAGES: Final = frozenset(
    {
        "/",
        "/about/",
        "/about/chronicle.html",
        "/about/contact.html",
        "/about/history.html",
        "/about/staff.html",
        "/about/volunteering.html",
        "/caf%C3%A9/",
        "/collections/",
        "/collections/item?id=1",
        "/collections/item?id=2",
        "/collections/item?id=3",
        "/collections/item?id=4",
        "/collections/item?id=5",
        "/collections/item?id=6",
        "/collections/item?id=99",
        "/collections/how-to-search.html",
        "/de/",
        "/education/",
        "/education/knot-worksheet.html",
        "/education/knot-worksheet.html?view=print",
        "/education/school-visits.html",
        "/events/",
        "/events/calendar.html",
        "/events/knot-evening.html",
        "/events/lantern-walk.html",
        "/events/model-boat-day.html",
        "/exhibitions/",
        "/exhibitions/lamps-and-lenses.html",
        "/exhibitions/salt-and-rope.html",
        "/exhibitions/the-great-fog.html",
        "/fr/",
        "/kiosk.html",
        "/members/login.html",
        "/news/",
        "/news/?page=2",
        "/news/bell-returns.html",
        "/news/lens-cleaned.html",
        "/news/new-website.html",
        "/news/regatta-day.html",
        "/news/storm-closure.html",
        "/publications/",
        "/recipes/fish-soup.html",
        "/recipes/sea-buckthorn-cream.html",
        "/recipes/seaweed-bread.html",
        "/research/",
        "/research/dating-a-ship-model.html",
        "/research/draft-wreck-list.html",
        "/research/fog-signals.html",
        "/research/reading-a-harbour-log.html",
        "/staff-room/notice-board.html",
        "/tides/",
        "/tides/2026-01.html",
        "/tides/2026-02.html",
        "/tides/2026-03.html",
        "/visit/",
        "/visit/accessibility.html",
        "/visit/getting-here.html",
        "/visit/hours.html",
        "/visit/hours.html?view=print",
        "/visit/map-frame.html",
        "/visit/prices.html",
        "/visit/prices.html?view=print",
    }
)

#: Everything else (status 200) that those pages and their style sheets link to or embed.
FILES: Final = frozenset(
    {
        "/css/print.css",
        "/css/site.css",
        "/css/tokens.css",
        "/downloads/tides-2026.csv",
        "/feeds/events.atom",
        "/feeds/news.rss",
        "/images/bell.svg",
        "/images/compass.svg",
        "/images/crest-32.png",
        "/images/crest.svg",
        "/images/fog.svg",
        "/images/harbour-480.jpg",
        "/images/harbour-960.jpg",
        "/images/harbour-960.webp",
        "/images/knot.png",
        "/images/lamp.svg",
        "/images/logbook.svg",
        "/images/map.svg",
        "/images/pennant.gif",
        "/images/rope.svg",
        "/images/ship.svg",
        "/images/waves.svg",
        "/js/board.js",
        "/publications/guide-to-the-harbour.pdf",
        "/publications/yearly-report-2025.pdf",
        "/sounds/foghorn.wav",
    }
)

#: Fetched by a script only: found by a crawl that runs a browser.
FOUND_BY_SCRIPT: Final = frozenset({"/data/board.json"})

#: A page that no page links to; only the sitemap names it.
ONLY_IN_SITEMAP: Final = frozenset({"/visit/quiet-hours.html"})

ROBOTS: Final = "/robots.txt"
FEEDS: Final = frozenset({"/feeds/events.atom", "/feeds/news.rss"})  # also in FILES
SITEMAP_INDEX: Final = "/sitemap-index.xml"
SITEMAPS: Final = frozenset({"/sitemap.xml", "/sitemaps/news.xml.gz"})

#: Links and embeds that answer 404.
BROKEN_LINKS: Final = frozenset(
    {
        "/downloads/floor-plan.pdf",
        "/education/booking-form.html",
        "/images/lost-lighthouse.jpg",
        "/news/regatta-results.html",
    }
)

#: Path → status and Location. `/cat` → `/catalogue` → `/collections/` is a chain.
REDIRECTS: Final = {
    "/cat": (301, "/catalogue"),
    "/catalogue": (302, "/collections/"),
    "/exhibitions/fog.html": (307, "/exhibitions/the-great-fog.html"),
    "/feed": (308, "/feeds/news.rss"),
    "/old/opening-times.html": (301, "/visit/hours.html"),
    "/tonight": (302, "/events/lantern-walk.html"),
    "/visit": (301, "/visit/"),
}

#: Linked to, but disallowed by robots.txt.
DENIED_BY_ROBOTS: Final = frozenset({"/staff-room/", "/staff-room/rota.html"})

#: The form, where it posts to, what opens it, and what lies behind it. Without a session each sends to the form (302).
LOGIN_PAGE: Final = "/members/login.html"
LOGIN_ACTION: Final = "/members/login"
LOGOUT_ACTION: Final = "/members/logout"
USERNAME: Final = "member"
PASSWORD: Final = "tidewick"  # noqa: S105 - printed on the login page for everybody to see
BEHIND_LOGIN: Final = frozenset({"/members/", "/members/newsletter.html", "/members/preview.html"})

#: Says "not found" to people and 200 to machines; so does every other unknown id. Also in PAGES.
SOFT_404: Final = "/collections/item?id=99"

#: Asks not to be indexed. Also in PAGES.
NOINDEX: Final = frozenset({"/research/draft-wreck-list.html"})

#: Print version → the canonical page that it repeats. Also in PAGES.
PRINT_VERSIONS: Final = {
    "/education/knot-worksheet.html?view=print": "/education/knot-worksheet.html",
    "/visit/hours.html?view=print": "/visit/hours.html",
    "/visit/prices.html?view=print": "/visit/prices.html",
}

#: Sends the reader on by a meta refresh. Also in PAGES.
META_REFRESH: Final = {"/kiosk.html": "/"}

#: Page → charset, where it is not UTF-8 and only the page's meta element says so. Also in PAGES.
OTHER_CHARSETS: Final = {"/recipes/sea-buckthorn-cream.html": "iso-8859-1"}

#: Page → language, where it is not English. Also in PAGES.
OTHER_LANGUAGES: Final = {"/de/": "de", "/fr/": "fr"}

#: The only links that lead away; the names are reserved (RFC 2606) and never resolve.
EXTERNAL_LINKS: Final = frozenset(
    {"https://harbour-trust.example/", "http://ferries.example/timetable?route=7&day=sat"}
)
