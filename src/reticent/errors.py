"""The exceptions of the library: each message is one sentence that names the place and the mend."""

__all__ = [
    "CheckFailedError",
    "InputError",
    "LearnerStateError",
    "MissingExtraError",
    "ParameterError",
    "ReticentError",
    "WorkLimitError",
]


class ReticentError(Exception):
    """The base class of every error that the library raises on purpose."""


class InputError(ReticentError, ValueError):
    """The data are not what they should be; nothing was drawn and no state has changed."""


class ParameterError(ReticentError, ValueError):
    """A public parameter is out of its range; nothing was drawn and no state has changed."""


class LearnerStateError(ReticentError, RuntimeError):
    """A learner must not go on: an earlier update was interrupted, and a round might count twice."""


class CheckFailedError(ReticentError, AssertionError):
    """An algorithm breaks what must hold for every algorithm; see `reticent.audit.checks`."""


class MissingExtraError(ReticentError, ImportError):
    """An optional dependency is needed for this call and is not installed."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs {package}: install it with  pip install 'reticent[{extra}]'.")


class WorkLimitError(ReticentError, RuntimeError):
    """An exact computation would take more steps, or calls within calls, than allowed; nothing is approximated.

    Attributes
    ----------
    lower, upper : int
        The bracket found so far, both ends included.
    """

    def __init__(self, quantity: str, lower: int, upper: int, limit: str) -> None:
        super().__init__(f"{quantity} lies in [{lower}, {upper}] so far, and {limit}.")
        self.lower = lower
        self.upper = upper
