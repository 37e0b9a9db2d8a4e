"""The names of all log events, each with the sentence that docs/reference/log-events.md shows.

An event has one name, given once in the code; tests/architecture/test_log_events.py compares code, this list and docs.
"""

#: Name → what happened, in one sentence.
EVENTS: dict[str, str] = {
    "access_rules_not_pulled": (
        "Rules of access could not be brought from where they are made; those that are here count until they are too "
        "old. Told once for each trouble."
    ),
    "access_rules_pulled": "Newer rules of access were taken.",
    "agent_draining": "An agent takes no more jobs and waits for the running ones to end.",
    "agent_not_signed_off": "An agent ended without telling the database; its leases run out by themselves.",
    "agent_started": "An agent is ready to take jobs.",
    "agent_stopped": "An agent ended and signed off.",
    "agent_unwell": "The machine of an agent has too little memory, disk or processor time; it takes no more harvests.",
    "agents_lost": "Agents fell silent and were marked lost; others take over their jobs.",
    "audit_sealed": "Committed audit entries were added to the chain.",
    "command": "An agent obeys a command that a person gave.",
    "crawl_auth_lost": "A credential is not accepted by a host any more; its further URLs are recorded as auth-lost.",
    "crawl_fenced": "A worker's batch was refused, because another has some of its buckets; it is fetched again.",
    "crawl_logged_in": "A login by form worked.",
    "crawl_login_failed": "A login by form did not work.",
    "crawl_not_compacted": "A crawl was sealed, but the disk has no room to make its store smaller.",
    "crawl_not_sealed": "A crawl ended and stays open, because some of its WARC files are elsewhere.",
    "crawl_store_retry": "A transaction of a crawl store failed in a way that passes, and is tried again.",
    "crawl_visit_failed": "An error of Opilio itself while a URL was visited; the URL is recorded as failed.",
    "crawl_worker_died": "A worker process of a crawl died; another takes its place.",
    "database_lost": "The database cannot be reached; the agent tries again after a pause.",
    "harvests_planned": "Harvests were planned that have come within the look-ahead of their schedules.",
    "harvest_aftermath_failed": (
        "What a harvest found changed, or how its site is, could not be read; `opilio harvest changes --rebuild` "
        "counts changes anew."
    ),
    "harvest_indexed": "The pages of a harvest that changed went into the working index; `pages` says how many.",
    "harvest_in_use": "Another process still crawls into the folder of a harvest; the harvest is tried again soon.",
    "harvest_without_disk": "The disk of a harvest is full or cannot be written to; the harvest waits until it can.",
    "harvest_without_database": "The database cannot be reached by a running harvest; it goes on and tries again.",
    "harvests_cared_for": "Harvests that nothing moved any more got another job, or were flagged as late.",
    "groups_ended": "Groups whose last day is over became inactive; what was planned for them is removed.",
    "heartbeat_failed": "An agent could not say that it lives, for another reason than a lost database.",
    "index_page_refused": "A page cannot be indexed as it is, and was left out of the generation.",
    "job_ended": "A job ended; `verdict` says how, `recorded` whether the database took it down.",
    "job_failed": "A job's runner raised an error; `verdict` says whether it is tried again.",
    "job_fenced": "A job's outcome was not recorded, because another agent holds the job now.",
    "job_lease_lost": "An agent lost its lease of a running job, and tells the runner to stop.",
    "job_not_given_back": "A leaving agent could not give a job back, because another agent holds it now.",
    "ldap_ambiguous": "The directory knows several entries for one user name; the sign-in was refused.",
    "ldap_trouble": "The directory could not be asked; the sign-in was put off, not refused.",
    "library": "A library (Django, granian, …) logged a message; `message` holds its words and `logger` its name.",
    "line_divided": "The line was divided anew between running harvests; `count` of them were told something.",
    "live_view_without_database": "The database cannot be asked how harvests go; those who watch see the last figures.",
    "mail_refused": "The mail server refused a message for good; it stays in the outbox as failed.",
    "node_failed": "A request to a node failed for an unforeseen reason; the reader saw the request's id.",
    "node_follow_failed": "A node could not fetch what it should serve; it serves what it has, and looks again.",
    "node_not_restored": "A load balancer could not be told to send readers back to a node.",
    "node_published": "A publish or rollback is done with a node; `outcome` says how it went.",
    "node_refused": "A node did not open a generation, because it is damaged; it serves the previous one.",
    "node_serves": "A node verified a generation and answers from it.",
    "page_failed": "A page could not be made for an unforeseen reason; the reader saw the request's id.",
    "periodic_failed": "A periodic chore raised an error; its next turn comes as planned.",
    "periodic_lease_lost": "An agent lost its lease of a periodic chore to another agent.",
    "permission_clock_stuck": "A reminder or announcement about a permission could not be made; it is tried again.",
    "replay_failed": "An archived page could not be served; the reader saw why.",
    "scheduler_tick": "The scheduler decided about due harvests; the fields say how many of each verdict.",
    "webhook_failed": "A message to a webhook was not taken; it is tried again, or given up after a day.",
    "working_index_busy": "Another process writes the working index; the pages of a harvest are indexed later.",
    "working_index_crawl_unread": "A crawl that the working index follows could not be read; it is tried again.",
}


def table() -> str:
    """The events as the Markdown table of the reference page."""
    rows = [f"| `{name}` | {sentence} |" for name, sentence in sorted(EVENTS.items())]
    return "\n".join(["| Event | What happened |", "|---|---|", *rows])
