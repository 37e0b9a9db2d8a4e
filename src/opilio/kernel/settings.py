"""Every setting of Opilio, declared once: name, type, default, and a sentence for whoever would change it.

`kernel/config.py` fills this class from `opilio.toml` and `OPILIO_*`; a module takes only the values it uses.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What a setting's value must keep to, beside its type."""

    sentence: str
    secret: bool = False
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()


def setting(default: Any, sentence: str, **rule: Any) -> Any:
    """Declare one setting; the rule travels in the field's metadata."""
    return field(default=default, metadata={"rule": Rule(sentence=sentence, **rule)})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What is in force. A field `mail_host` is `host` under `[mail]` in the file and `OPILIO_MAIL_HOST` outside it."""

    home: Path = setting(Path("var"), "Folder that holds the catalogue, harvests, archive, index and secrets.")
    database_url: str = setting(
        "", "Catalogue database, postgresql://…; empty means SQLite in the home folder.", secret=True
    )
    store: str = setting(
        "", "Where archived results are kept: a folder or s3://bucket/prefix; empty means archive/ in the home folder."
    )
    crawl_database_url: str = setting(
        "", "Database of the crawl stores of harvests, postgresql://…, the catalogue's or another; empty means an "
        "SQLite file beside each harvest, and one agent for each.", secret=True,
    )  # fmt: skip
    work_store: str = setting(
        "", "Where machines share harvests, generations and deliveries: s3://bucket/prefix or a folder; empty means "
        "below `store` where that is s3://…, otherwise in the home folder that all share.",
    )  # fmt: skip
    work_cache_gigabytes: float = setting(
        100.0, "Most copies that a machine keeps of the work store, in GB, of harvests and of deliveries; those not "
        "used for longest go.",
        minimum=0, maximum=1_000_000,
    )  # fmt: skip
    s3_endpoint: str = setting("", "Address of the S3-compatible server, https://…; empty means AWS.")
    s3_region: str = setting("us-east-1", "Region of the bucket.")
    s3_access_key: str = setting(
        "", "Name of the key to the bucket; empty means what the machine's AWS variables or role give.", secret=True
    )
    s3_secret_key: str = setting("", "Secret of the key to the bucket.", secret=True)
    s3_ca_file: str = setting("", "File with the certificate authority of the S3 server; empty means the system's.")
    s3_timeout: float = setting(
        60.0, "Seconds after which one request to the S3 server is given up.", minimum=0.1, maximum=3_600
    )
    browser_program: str = setting("", "Chromium that takes screenshots; empty means the one of the system.")
    time_zone: str = setting("UTC", "IANA zone in which times are shown to people who chose none.")

    server_host: str = setting("127.0.0.1", "Address on which `opilio serve` listens.")
    server_port: int = setting(
        8000, "Port on which `opilio serve` listens; 0 takes a free one.", minimum=0, maximum=65535
    )
    server_public_url: str = setting("", "Address under which people reach the pages, for links in e-mail.")
    server_allowed_hosts: tuple[str, ...] = setting(
        ("localhost", "127.0.0.1", "[::1]"), "Host names under which the pages answer."
    )
    server_behind_tls: bool = setting(False, "Whether people reach the pages by https through a proxy that ends TLS.")
    server_trusted_proxies: int = setting(
        0,
        "How many proxies of yours stand in front; that many X-Forwarded-For entries are believed.",
        minimum=0,
        maximum=10,
    )
    server_max_form_bytes: int = setting(
        2_621_440, "Largest form or API body that is read, in bytes.", minimum=65_536, maximum=104_857_600
    )

    server_max_upload_bytes: int = setting(
        1_073_741_824, "Largest file that can be added to a result by upload, in bytes.",
        minimum=65_536, maximum=1_099_511_627_776,
    )  # fmt: skip

    limit_api_per_minute: int = setting(
        6_000, "API requests that one address may send in a minute, to each process; 0: no limit.",
        minimum=0, maximum=1_000_000,
    )  # fmt: skip
    limit_search_per_minute: int = setting(
        3_000, "Searches that one address may send in a minute, to each process; 0: no limit.",
        minimum=0, maximum=1_000_000,
    )  # fmt: skip
    limit_forms_per_minute: int = setting(
        120, "Forms that people who are not signed in may send from one address in a minute; 0: no limit.",
        minimum=0, maximum=1_000_000,
    )  # fmt: skip

    metrics_networks: tuple[str, ...] = setting(
        ("127.0.0.0/8", "::1/128"), "Networks whose programs may read the figures at /metrics, as 10.1.0.0/16."
    )

    traces_endpoint: str = setting(
        "", "Where spans are sent by OTLP over HTTP, as http://127.0.0.1:4318/v1/traces; empty means no traces."
    )
    traces_share: float = setting(1.0, "Share of the traces that are recorded, from 0 to 1.", minimum=0, maximum=1)

    replay_host: str = setting(
        "replay.localhost",
        "Name below which results are replayed, each under a name of its own; behind a proxy, one with a wildcard.",
    )
    quality_replay_check: bool = setting(
        True, "Whether important pages of a result are replayed in a browser when it is assessed, if there is one."
    )
    quality_live_check: bool = setting(
        False, "Whether they are compared with the live site too, which asks the site for them once more."
    )
    search_replay_url: str = setting(
        "",
        "Address of an archived copy, with {timestamp}, {url} and {crawl} in it; empty means no links from hits.",
    )

    access_rules: str = setting(
        "", "File of compiled rules of access that searches keep to; empty means those that this installation compiles."
    )
    access_rules_key: str = setting("", "File with the public key of those who compile the rules of access.")

    log_level: str = setting("info", "Least severity that is logged.", choices=("debug", "info", "warning", "error"))
    log_format: str = setting(
        "auto",
        "Form of log lines: human on a terminal, else JSON, or always one of them.",
        choices=("auto", "human", "json"),
    )

    password_min_length: int = setting(12, "Fewest characters of a password.", minimum=8, maximum=128)
    password_history: int = setting(5, "How many earlier passwords may not be used again.", minimum=0, maximum=50)
    signin_free_failures: int = setting(
        5, "Failed sign-ins of a user or address before the next one must wait.", minimum=1, maximum=100
    )
    signin_first_delay: float = setting(
        2.0, "Seconds of the first wait; each further failure doubles it.", minimum=0.1, maximum=3600
    )
    signin_max_delay: float = setting(900.0, "Longest wait between sign-ins, in seconds.", minimum=1, maximum=86_400)
    signin_idle_minutes: int = setting(
        480, "Minutes without a request after which a sign-in session ends.", minimum=1, maximum=43_200
    )
    signin_max_hours: int = setting(
        168, "Hours after which a sign-in session ends in any case.", minimum=1, maximum=8_760
    )
    token_max_days: int = setting(365, "Longest life of an API token, in days.", minimum=1, maximum=3_650)

    mail_host: str = setting(
        "", "SMTP server for e-mail; empty means that none is sent and messages wait in the outbox."
    )
    mail_port: int = setting(25, "Port of the SMTP server.", minimum=1, maximum=65535)
    mail_security: str = setting("none", "Encryption towards the SMTP server.", choices=("none", "starttls", "tls"))
    mail_username: str = setting("", "User name at the SMTP server; empty means no sign-in there.")
    mail_password: str = setting("", "Password at the SMTP server.", secret=True)
    mail_from: str = setting("opilio@localhost", "Sender of e-mail.")
    mail_timeout: float = setting(30.0, "Seconds after which an SMTP exchange is given up.", minimum=0.1, maximum=600)

    webhook_allow_private: tuple[str, ...] = setting(
        (), "Private networks that webhooks may send to, as 10.1.0.0/16; none: none."
    )
    webhook_timeout: float = setting(
        10.0, "Seconds after which a message to a webhook is given up and tried again.", minimum=0.1, maximum=120
    )
    webhook_ca_file: str = setting(
        "", "File with the certificate authority of webhooks' addresses; empty means the system's."
    )

    deposit_folders: tuple[str, ...] = setting(
        (), "Folders below which depositories may lie; none: only depositories/ in the home folder."
    )
    deposit_commands: tuple[str, ...] = setting(
        (), "Programs, each with its whole path, that depositories may start on agents' machines; none: none."
    )
    deposit_allow_private: tuple[str, ...] = setting(
        (), "Private networks in which depositories are reached by HTTP, as 10.1.0.0/16; none: none."
    )
    deposit_ca_file: str = setting("", "File with the certificate authority of depositories; empty means the system's.")

    agent_name: str = setting("", "Name of this agent; empty takes the machine's name.")
    agent_slots: int = setting(2, "Jobs that one agent runs at a time.", minimum=1, maximum=64)
    agent_nice: int = setting(
        10, "How far an agent and what it starts give way to other programs of the machine, as pages; 0: not at all.",
        minimum=0, maximum=19,
    )  # fmt: skip
    agent_poll_seconds: float = setting(1.0, "Seconds between looks for due jobs.", minimum=0.01, maximum=60)
    agent_lease_seconds: float = setting(
        60.0, "Seconds after which a job whose agent fell silent is given to another.", minimum=0.2, maximum=3_600
    )
    agent_least_memory: float = setting(
        256.0, "Free memory in MB below which an agent takes no further harvest; 0 switches this off.",
        minimum=0, maximum=1_000_000,
    )  # fmt: skip
    agent_least_disk: float = setting(
        10.0, "Free disk in percent below which an agent takes no further harvest; 0 switches this off.",
        minimum=0, maximum=100,
    )  # fmt: skip
    agent_most_load: float = setting(
        8.0, "Processes that wait for each processor, above which an agent takes no further harvest; 0: off.",
        minimum=0, maximum=1_000,
    )  # fmt: skip
    harvest_slots: int = setting(
        2, "Harvests that one agent runs at a time, beside its other jobs.", minimum=0, maximum=256
    )
    harvest_workers: int = setting(
        1, "Processes that fetch for one harvest; 1 fetches in the agent.", minimum=1, maximum=64
    )
    harvest_checkpoint_seconds: float = setting(
        60.0, "Seconds between checkpoints of a harvest in the work store: what a lost machine loses at most.",
        minimum=0.1, maximum=86_400,
    )  # fmt: skip
    harvest_allow_private: tuple[str, ...] = setting(
        (), "Private networks that harvests may fetch from, as 10.1.0.0/16; none: none."
    )
    harvest_contact: str = setting("", "Address or URL that harvests tell servers, where a profile names none.")
    scheduler_seconds: float = setting(
        10.0, "Seconds between looks for harvests whose time came.", minimum=0.05, maximum=3_600
    )
    audit_seal_seconds: float = setting(1.0, "Seconds between seals of the audit chain.", minimum=0.05, maximum=3_600)

    ldap_url: str = setting("", "LDAP server, ldap://… or ldaps://…; empty means no sign-in by LDAP.")
    ldap_start_tls: bool = setting(True, "Whether an ldap:// connection is encrypted before the password is sent.")
    ldap_ca_file: str = setting("", "File with the certificate authority of the LDAP server; empty means the system's.")
    ldap_bind_dn: str = setting("", "Name under which users are looked up; empty means anonymously.")
    ldap_bind_password: str = setting("", "Password for looking users up.", secret=True)
    ldap_user_base: str = setting("", "Where users are looked up, as ou=people,dc=example,dc=org.")
    ldap_user_filter: str = setting("(uid={username})", "Filter that finds one user; {username} is filled in, escaped.")
    ldap_timeout: float = setting(10.0, "Seconds after which the LDAP server is given up.", minimum=0.1, maximum=120)

    oidc_issuer: str = setting("", "OpenID Connect provider; empty means no sign-in by it.")
    oidc_client_id: str = setting("", "Name of this installation at the provider.")
    oidc_client_secret: str = setting("", "Secret of this installation at the provider.", secret=True)
    oidc_username_claim: str = setting("preferred_username", "Claim that holds the user name.")
    oidc_label: str = setting("Single sign-on", "Words on the button of the sign-in page.")

    @property
    def catalogue_file(self) -> Path:
        """Where the catalogue lies when it is SQLite."""
        return self.home / "catalogue.db"

    @property
    def archive_store(self) -> str:
        """The address of the store of archived results."""
        return self.store or str(self.home / "archive")

    @property
    def shared_store(self) -> str:
        """The address of the work store; empty where all share the home folder."""
        below = f"{self.store.rstrip('/')}/extensions/opilio-work" if self.store.startswith("s3://") else ""
        return self.work_store or below

    @property
    def secrets_folder(self) -> Path:
        """Where keys lie, mode 700."""
        return self.home / "secrets"
