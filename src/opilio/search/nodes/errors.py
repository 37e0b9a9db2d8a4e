"""The errors of nodes.

InvalidInput
├── BadNodes            a list of nodes that cannot be used
├── BadQuestion         a request to a node that cannot be answered as it is
│   └── QuestionTooLong
└── BadUpload           a file of a generation that a node was sent and cannot take
Denied
└── NotPublisher        the token is missing or wrong
Missing
├── NoNode              there is no node of that name
├── NoEarlierGeneration a node has nothing to go back to
└── NotServedHere       nothing answers at this address, or not to this method
Conflict
└── SwitchedMeanwhile   somebody else switched the node first
Unavailable
├── NodeUnreachable     a node or its service does not answer
├── NotReady            the node has no verified generation open
├── NodeBusy            more requests than the node can take
└── HookFailed          the command for the load balancer failed
NodeFailed              a fault of Opilio itself
"""

from opilio.kernel.errors import Conflict, Denied, InvalidInput, Missing, OpilioError, Unavailable


class BadNodes(InvalidInput):
    """A list of nodes that cannot be used."""

    usual_remedy = "Correct the file of nodes."


class BadQuestion(InvalidInput):
    """A request to a node that cannot be answered as it is."""

    http_status = 400


class QuestionTooLong(BadQuestion):
    """A request to a node whose address is too long."""

    http_status = 414


class BadUpload(InvalidInput):
    """A file of a generation that a node was sent and cannot take."""


class NotPublisher(Denied):
    """The token that allows to publish to a node is missing or wrong."""

    http_status = 401


class NoNode(Missing):
    """There is no node of that name."""


class NoEarlierGeneration(Missing):
    """A node has no earlier generation to go back to."""


class NotServedHere(Missing):
    """Nothing answers at this address of a node, or not to this method."""


class SwitchedMeanwhile(Conflict):
    """Somebody else switched the node first."""


class NodeUnreachable(Unavailable):
    """A node, or its service, does not answer."""


class NotReady(Unavailable):
    """A node has no verified generation open."""


class NodeBusy(Unavailable):
    """A node has more requests under way than it can take."""


class HookFailed(Unavailable):
    """The command that moves readers at a load balancer failed or took too long."""


class NodeFailed(OpilioError):
    """A node failed to answer for a reason that nobody foresaw."""
