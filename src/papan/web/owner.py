"""Who is at the server's own machine: only they may start work that goes on without them."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address

from fastapi import Request

from papan.web.guard import Scope
from papan.web.refusals import Refused

FORWARDED = {b"forwarded", b"x-forwarded-for", b"x-real-ip", b"via"}
"""What a proxy adds: then whoever asks may be anywhere, although the proxy is here."""


def owner(request: Request) -> None:
    """Raise unless the question comes from this machine."""
    if not at_this_machine(dict(request.scope)):
        raise Refused(403, "jobs.not_here")


def at_this_machine(scope: Scope) -> bool:
    """Does a request come from the machine that it reached?"""
    if any(name.lower() in FORWARDED for name, _ in scope["headers"]):
        return False
    (asker, _), server = scope.get("client") or ("", 0), scope.get("server")
    if server and asker == server[0]:
        return True  # it came to an address of this machine, from that same address
    try:
        found = ip_address(asker)
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return (mapped or found).is_loopback
