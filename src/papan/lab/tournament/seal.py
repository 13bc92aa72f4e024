"""The seal on a plan: proof that it was made here, by this user, and not changed since.

A plan can name programs to run. One that someone else has sent must not run them unasked.
"""

from __future__ import annotations

import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path

from papan.lab.files import data_folder


def seal(text: str) -> str | None:
    """The seal of *text*; None where no key can be kept."""
    try:
        return hmac.new(_key(), text.encode(), "sha256").hexdigest()
    except OSError:
        return None


def genuine(text: str, sealed: object) -> bool:
    """Was *text* sealed here?"""
    expected = seal(text)
    return (
        isinstance(sealed, str) and expected is not None and hmac.compare_digest(expected, sealed)
    )


def _key() -> bytes:
    """The secret of this user, made when it is first needed."""
    path = data_folder() / "seal"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _make(path)
    return path.read_bytes()


def _make(path: Path) -> None:
    """Write a new secret that nobody else can read; whoever comes first has made it."""
    draft = path.with_name(f"{path.name}-{os.getpid()}-{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secrets.token_bytes(32))
    with suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()
