"""Secrets of a room: its code, which is in the link, and the tokens of its seats, in cookies."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

CODE_BYTES, TOKEN_BYTES = 10, 16


def new_code() -> str:
    """A code that nobody can guess, in groups that people can read out."""
    letters = base64.b32encode(secrets.token_bytes(CODE_BYTES)).decode().lower()
    return "-".join(letters[place : place + 4] for place in range(0, len(letters), 4))


def new_token() -> str:
    """The secret of a seat."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def key_of(token: str) -> str:
    """What is kept of a token: enough to know it again, too little to use it."""
    return hashlib.sha256(token.encode()).hexdigest()


def same(one: str | None, other: str | None) -> bool:
    """Are these the same key? Two that are missing are not."""
    return bool(one and other and hmac.compare_digest(one, other))
