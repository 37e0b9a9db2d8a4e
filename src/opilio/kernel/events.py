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
    "access_rule_not_made": "A permission cannot become a rule of access; what relies on it is hidden from readers.",
    "access_rules_written": "The rules of access changed and were written anew; nodes pull them within seconds.",
    "agent_draining": "An agent takes no more jobs and waits for the running ones to end.",
    "agent_not_signed_off": "An agent ended without telling the database; its leases run out by themselves.",
    "agent_outdated": "An upgrade took tables away that this version needs; the agent ends and gives its jobs back.",
    "agent_started": "An agent is ready to take jobs.",
    "agent_stopped": "An agent ended and signed off.",
    "agent_unwell": "The machine of an agent has too little memory, disk or processor time; it takes no more harvests.",
    "agents_lost": "Agents fell silent and were marked lost; others take over their jobs.",
    "assessment_failed": "A result could not be measured; people review it without a recommendation.",
    "assessment_kept": "A result was measured, and something is recommended.",
    "audit_sealed": "Committed audit entries were added to the chain.",
    "auto_endorse_refused": "A rule would have endorsed a result, and the endorsement was refused.",
    "deposit_failed": "A deposit cannot be done; its harvest is endorsed as before, and the error says why.",
    "deposit_received": "A depository has a package, and it was read again there; its harvest is archived.",
    "deposit_troubled": "An attempt at a deposit failed for a reason that may pass; it is tried again.",
    "deposits_lost": "Deposits that no job did any more were ended; `count` says how many.",
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
    "deliveries_removed": "Files of deliveries whose time is over were removed; `count` says of how many.",
    "delivery_lease_not_renewed": "The database did not take the heartbeat of a delivery session; it is tried again.",
    "delivery_report_refused": "A source did not take the report that its centre wants; `error` says why.",
    "delivery_retention_waits": "A delivery session runs; files are removed after it.",
    "delivery_session_ended": "An agent ran a delivery session to its end; `good` says whether all went well.",
    "delivery_session_ordered": "The time for a delivery session came; a job was made for it.",
    "pictures_failed": "Screenshots beside a crawl could not be taken any more; the crawl goes on without them.",
    "no_trigram_indexes": (
        "PostgreSQL has no extension pg_trgm and the installation may not add it; words in long lists are found by "
        "reading whole tables. Let the owner of the database run `CREATE EXTENSION pg_trgm`, then `opilio db migrate`."
    ),
    "database_lost": "The database cannot be reached; the agent tries again after a pause.",
    "harvests_planned": "Harvests were planned that have come within the look-ahead of their schedules.",
    "harvest_aftermath_failed": (
        "What a harvest found changed, or how its site is, could not be read; `opilio harvest changes --rebuild` "
        "counts changes anew."
    ),
    "harvest_indexed": "The pages of a harvest that changed went into the working index; `pages` says how many.",
    "running_harvests_indexed": "New pages of harvests that run went into the working index; `pages` says how many.",
    "captures_lost": (
        "A machine was lost with captures that it had not brought into the work store; their pages wait again."
    ),
    "checkpoint_failed": "What a crawl committed could not be brought into the work store; the next checkpoint tries.",
    "checkpoint_put_off": "The work store is away; the crawl goes on, and the checkpoint is tried again.",
    "copy_removed": "A copy of a harvest was removed from this machine, because others need the room.",
    "harvest_goes_on": "Pages of a harvest that were lost with a machine are fetched again before it is sealed.",
    "help_put_off": "A process of this machine still works at a harvest that should be helped; it is tried again.",
    "help_without_database": "The database cannot be reached by an agent that helps; it goes on and tries again.",
    "work_store_away": "The work store cannot be asked whether a harvest changed; what is on this machine is used.",
    "harvest_in_use": "Another process still crawls into the folder of a harvest; the harvest is tried again soon.",
    "harvest_without_disk": "The disk of a harvest is full or cannot be written to; the harvest waits until it can.",
    "harvest_without_database": "The database cannot be reached by a running harvest; it goes on and tries again.",
    "captures_destroyed": "A takedown destroyed captures in the folder of a harvest.",
    "takedown_done": "Nothing of what a takedown destroys is left at any place.",
    "takedown_waits": "Somebody works where a takedown is to destroy captures; it is tried again soon.",
    "fixity_damage": "Kept files of a harvest were found damaged; `repaired` says how many are whole again.",
    "harvest_purged": "The data of a harvest was removed; its record and its results' lists stay.",
    "purge_ordered": "The data of harvests whose days are over is to be removed; `count` says of how many.",
    "purge_waits": "Somebody works in the folder of a harvest that is to be purged; it is tried again soon.",
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
    "missing_not_noted": "Replay could not note a URL that it did not find; the page was answered all the same.",
    "node_failed": "A request to a node failed for an unforeseen reason; the reader saw the request's id.",
    "node_follow_failed": "A node could not fetch what it should serve; it serves what it has, and looks again.",
    "node_not_restored": "A load balancer could not be told to send readers back to a node.",
    "node_published": "A publish or rollback is done with a node; `outcome` says how it went.",
    "node_refused": "A node did not open a generation, because it is damaged; it serves the previous one.",
    "node_serves": "A node verified a generation and answers from it.",
    "page_failed": "A page could not be made for an unforeseen reason; the reader saw the request's id.",
    "patch_fetched": "What a result lacks was fetched; the result is made next.",
    "patch_put_off": "A patch cannot go on now, as its folder is in use or has no room; it is tried again soon.",
    "patch_without_database": "A patch goes on although the catalogue cannot be reached; it is told later.",
    "patches_healed": "Patches whose job was lost got another one.",
    "periodic_failed": "A periodic chore raised an error; its next turn comes as planned.",
    "periodic_lease_lost": "An agent lost its lease of a periodic chore to another agent.",
    "permission_clock_stuck": "A reminder or announcement about a permission could not be made; it is tried again.",
    "result_care_failed": "A result that nothing moved any more could not be looked after; it is tried again.",
    "result_in_use": "The folder of a harvest is in use, or has no room; the result is tried again soon.",
    "result_made": "A result was derived; `resources` says how many it has.",
    "results_healed": "Results whose job was lost got another one.",
    "result_unread": "The file of a result could not be read; it is reviewed without its counts.",
    "results_cared_for": "Harvests got the row of their result, or results were let on that waited for the index.",
    "replay_failed": "An archived page could not be served; the reader saw why.",
    "scheduler_tick": "The scheduler decided about due harvests; the fields say how many of each verdict.",
    "webhook_failed": "A message to a webhook was not taken; it is tried again, or given up after a day.",
    "publication_ended": "A publication of the index ended; `failure` is empty when every node serves it.",
    "publication_source_left_out": "An endorsed result cannot be read and is left out of the index that is built.",
    "working_index_busy": "Another process writes the working index; the pages of a harvest are indexed later.",
    "working_index_crawl_unread": "A crawl that the working index follows could not be read; it is tried again.",
}


def table() -> str:
    """The events as the Markdown table of the reference page."""
    rows = [f"| `{name}` | {sentence} |" for name, sentence in sorted(EVENTS.items())]
    return "\n".join(["| Event | What happened |", "|---|---|", *rows])
