"""How an agent and the health of its machine are told on its page."""

from dataclasses import dataclass

from opilio.curation.queries.agent_status import AgentState, AgentStatus, Order

_TONES = {
    AgentState.WORKING: "good", AgentState.PAUSED: "warn", AgentState.DRAINING: "info", AgentState.LOST: "bad",
}  # fmt: skip
_HEALTH = {
    "memory_free": ("Free memory", "{:,.0f} MB"),
    "disk_free": ("Free disk", "{:.1f} %"),
    "load": ("Processes for each processor", "{:.1f}"),
}


@dataclass(frozen=True, kw_only=True)
class Shown:
    """An agent as the page draws it."""

    one: AgentStatus
    tone: str
    health: tuple[tuple[str, str], ...]
    orders: tuple[Order, ...]


def shown(one: AgentStatus) -> Shown:
    """The agent with its words."""
    return Shown(one=one, tone=_TONES.get(one.look.state, "quiet"), health=_health(one), orders=one.orders)


def _health(one: AgentStatus) -> tuple[tuple[str, str], ...]:
    measured = [
        (label, text.format(number))
        for name, (label, text) in _HEALTH.items()
        if isinstance(number := one.look.health.get(name), int | float)
    ]
    unwell = one.look.health.get("unwell")
    return (*measured, ("Takes nothing", str(unwell))) if unwell else tuple(measured)
