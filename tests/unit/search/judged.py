"""A small collection with judgements of our own: forty pages, sixteen queries, and which pages answer each how well.

Grades: 2 answers the query, 1 is of use. All other pages do not answer it.
"""

#: Title, description, text, navigation.
PAGES = (
    (
        "Opening hours",
        "When the reading rooms are open",
        "The reading rooms are open from nine to five. On Saturday the library closes at noon.",
        "Home Visit Collections Contact",
    ),
    (
        "Visit us",
        "How to come to the library",
        "Take tram 4 to the market square. The entrance of the library faces the river. Opening hours "
        "are on another page.",
        "Home Visit Collections Contact",
    ),
    (
        "Reading room rules",
        "",
        "Bags and coats stay in lockers. Pencils only. Readers need a card to order books to the reading room.",
        "Home Visit Opening hours",
    ),
    (
        "Getting a reader's card",
        "Register as a reader",
        "Bring a passport to register. The card costs nothing and is valid for three years.",
        "Home Visit Opening hours",
    ),
    (
        "Fees",
        "",
        "Copies cost ten cents a page. Late returns cost one euro a week. The reader's card is free.",
        "Home Visit",
    ),
    (
        "Web archive",
        "What our web archive holds",
        "We collect web sites of the region. The web archive holds copies of pages since 2004.",
        "Home Collections",
    ),
    (
        "How we archive web sites",
        "Crawling explained",
        "A crawler follows links from page to page and stores every page. It waits between requests and "
        "obeys robots.txt.",
        "Home Web archive",
    ),
    (
        "robots.txt and the archive",
        "For webmasters",
        "Webmasters can keep our crawler out with robots.txt. The name of the crawler is opilio.",
        "Home Web archive",
    ),
    (
        "Takedown requests",
        "Ask us to remove a page",
        "Owners of a web site can ask us to hide or remove an archived page. Write to the archive.",
        "Home Web archive",
    ),
    (
        "WARC files",
        "The format of the web archive",
        "Captured pages are stored in WARC files, an ISO standard. A WARC file holds requests and responses.",
        "Home Web archive",
    ),
    (
        "Newspapers",
        "Digitised newspapers of the region",
        "Four hundred newspapers from 1780 to 1950 are digitised. Search the full text or browse by date.",
        "Home Collections",
    ),
    (
        "Maps of the harbour",
        "Historic harbour maps",
        "Charts and maps of the old harbour from 1650 on. The oldest map shows the wooden bridge.",
        "Home Collections",
    ),
    (
        "The map room",
        "",
        "Globes, atlases and maps are kept in the map room. Ask for large sheets a day before.",
        "Home Collections",
    ),
    (
        "Photographs of ships",
        "Pictures of sailing ships and steamers",
        "Nine thousand photographs show ships in the harbour: sailing ships, steamers, ferries.",
        "Home Collections",
    ),
    (
        "The ferry across the river",
        "History of the ferry",
        "Before the bridge was built in 1890 a ferry crossed the river twice an hour.",
        "Home Stories",
    ),
    (
        "The old bridge",
        "A bridge of stone",
        "The stone bridge replaced the ferry. Floods damaged it in 1902. It was restored in 1950.",
        "Home Stories",
    ),
    (
        "Floods of 1902",
        "The great flood",
        "In March 1902 the river rose by six metres. Houses near the bridge were under water for a week.",
        "Home Stories",
    ),
    (
        "Tide tables",
        "High and low water",
        "High water and low water for every day of the year, at the harbour gauge.",
        "Home Harbour",
    ),
    (
        "Lighthouse keepers",
        "Life at the lighthouse",
        "The keeper lit the lamp at dusk. Three families of keepers lived beside the lighthouse.",
        "Home Stories",
    ),
    (
        "The lighthouse lamp",
        "",
        "A lamp of eight burners with lenses of glass could be seen for twenty miles.",
        "Home Stories",
    ),
    (
        "Manuscripts",
        "Medieval manuscripts",
        "The library owns sixty medieval manuscripts, among them a book of hours with painted miniatures.",
        "Home Collections",
    ),
    (
        "Books of hours",
        "Prayer books of the Middle Ages",
        "A book of hours is a prayer book. Ours was painted in Ghent around 1480.",
        "Home Collections",
    ),
    (
        "Conservation of paper",
        "How we preserve paper",
        "Acid makes paper brittle. Books are washed and deacidified in our workshop.",
        "Home Work",
    ),
    (
        "Digital preservation",
        "Keeping digital files readable",
        "Files are checked every month against their checksums. Formats that grow old are migrated.",
        "Home Work",
    ),
    (
        "Checksums",
        "",
        "A checksum is a short number computed from a file. When a single bit changes, the checksum changes.",
        "Home Work",
    ),
    (
        "Search help",
        "How to search",
        "Put a phrase in quotation marks. A minus sign before a word excludes it. A star stands for any letters.",
        "Home Help",
    ),
    (
        "Interlibrary loan",
        "Books from other libraries",
        "Books that we do not own can be borrowed from other libraries. It takes about ten days.",
        "Home Help",
    ),
    (
        "Renewing loans",
        "Keep your books longer",
        "Loans can be renewed twice, online or by telephone, unless another reader waits.",
        "Home Help",
    ),
    (
        "Library history",
        "From 1612 to today",
        "The library was founded in 1612 by a merchant. It moved to the market square in 1890.",
        "Home About",
    ),
    (
        "Director and staff",
        "",
        "Eighty people work here: librarians, conservators, archivists and engineers.",
        "Home About",
    ),
    (
        "Jobs",
        "Work with us",
        "We look for an archivist for the web archive and a conservator for paper.",
        "Home About",
    ),
    (
        "Annual report 2023",
        "",
        "Visitors rose by eight per cent. The web archive grew by four terabytes. Fees stayed the same.",
        "Home About",
    ),
    (
        "Concerts",
        "Music in the hall",
        "Chamber music every first Friday. Tickets at the entrance.",
        "Home Events",
    ),
    (
        "Exhibition: sailing ships",
        "Models and paintings",
        "An exhibition about sailing ships, with models, paintings and photographs, until June.",
        "Home Events",
    ),
    (
        "Guided tours",
        "Tours of the library",
        "Tours start at the entrance on Sundays at eleven. Groups book in advance.",
        "Home Visit",
    ),
    (
        "Café",
        "",
        "Coffee, soup and cake beside the entrance, during opening hours.",
        "Home Visit",
    ),
    (
        "Accessibility",
        "Access for all",
        "All floors can be reached by lift. Screen readers are installed at two desks.",
        "Home Visit",
    ),
    (
        "Privacy",
        "",
        "We keep no list of what readers searched. Loans are forgotten when books return.",
        "Home",
    ),
    (
        "Imprint",
        "",
        "Public library, Market square 1. Telephone 555.",
        "Home",
    ),
    (
        "Copyright of images",
        "Using our pictures",
        "Photographs older than seventy years are free. For others ask for permission.",
        "Home Collections",
    ),
)

#: Query → page number → grade.
QUERIES = {
    "opening hours": {0: 2, 1: 1, 35: 1},
    "when is the reading room open": {0: 2, 2: 1},
    "reader card": {3: 2, 4: 1, 2: 1},
    "how much does a copy cost": {4: 2},
    "web archive": {5: 2, 6: 1, 8: 1, 9: 1, 30: 1, 31: 1},
    "keep crawler out of my site": {7: 2, 6: 1, 8: 1},
    "remove archived page": {8: 2},
    "warc format": {9: 2},
    "old maps of the harbour": {11: 2, 12: 1},
    "sailing ships": {13: 2, 33: 2},
    "ferry before the bridge was built": {14: 2, 15: 1},
    "flood 1902": {16: 2, 15: 1},
    "lighthouse keeper": {18: 2, 19: 1},
    "book of hours": {21: 2, 20: 1},
    "renew a loan": {27: 2},
    "file integrity checksum": {24: 2, 23: 1},
}
