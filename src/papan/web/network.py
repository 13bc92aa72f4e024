"""Network addresses: their forms in sockets, URLs and QR codes, and those of this machine."""

from __future__ import annotations

import io
import socket

from papan.web.settings import LOOPBACK

UNASSIGNED = "192.0.2.1"
"""An address reserved for documentation, which no machine has."""
HOME_NETWORKS = ("192.168.255.255", "10.255.255.255", "172.31.255.255")
"""An address in each range of private networks, as at home, in schools and in offices."""


def bare(host: str) -> str:
    """Return the address or name *host* in the form of sockets: ``[::1]`` as ``::1``, others
    unchanged.
    """
    return host.strip("[]")


def bracketed(host: str) -> str:
    """Return the address or name *host* in the form of URLs: ``::1`` as ``[::1]``, others
    unchanged.
    """
    return f"[{host}]" if ":" in host else host


def address_towards(destination: str) -> str | None:
    """Return this machine's IPv4 address in the network of *destination*, an IPv4 address.

    Nothing is sent. None if it has no route there.
    """
    with socket.socket(type=socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((destination, 1))  # sends nothing, but selects the local address
            return str(probe.getsockname()[0])
        except OSError:  # no network
            return None


def own_addresses() -> list[str]:
    """Return the IPv4 addresses at which other machines may reach this one, the usual one first.

    Empty without a network.
    """
    found = [address_towards(each) for each in (UNASSIGNED, *HOME_NETWORKS)]
    return [each for each in dict.fromkeys(found) if each and not each.startswith("127.")]


def host_names(host: str) -> tuple[str, ...]:
    """Return the lower-case names and addresses by which browsers may call a server that listens on
    *host*.

    The last one is this machine's usual address, or *host* without a network; IPv6 is in brackets.
    """
    own = socket.gethostname().lower()
    address = address_towards(UNASSIGNED) or host
    return (*LOOPBACK, bracketed(host.lower()), own, f"{own}.local", bracketed(address))


def qr_code(link: str) -> bytes:
    """Return *link* as a QR code: an SVG element (UTF-8) without a size, which fills its place.

    Raise ValueError if it is too long for one.
    """
    import segno

    drawing = io.BytesIO()
    segno.make(link, micro=False).save(drawing, kind="svg", xmldecl=False, omitsize=True, border=3)
    return drawing.getvalue()
