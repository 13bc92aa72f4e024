"""What the server does not do, or not now."""

from __future__ import annotations

from papan.core import PapanError

RETRY_SECONDS = 2
"""When to ask again, where nobody knows better."""
LATER = (429, 503)
"""The statuses of what may be granted another time."""


class Refused(PapanError):  # noqa: N818 - an answer, not a fault
    """Why something is refused; *status* is that of the answer."""

    def __init__(self, status: int, key: str, /, **values: object) -> None:
        super().__init__(key, **values)
        self.status = status

    @property
    def retry_after(self) -> str | None:
        """The seconds after which to ask again; None where that would not help."""
        return str(self.values.get("seconds", RETRY_SECONDS)) if self.status in LATER else None
