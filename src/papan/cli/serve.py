"""``papan serve``: run the web app on this machine, and open it in the browser."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from papan.cli.arguments import complaint
from papan.core import PapanError
from papan.core.progress import Progress
from papan.terminal.output import progress, rewrite, say

HERE = "127.0.0.1"


def serve(
    port: Annotated[int | None, typer.Option(metavar="P", min=0, max=65535)] = None,
    host: Annotated[str, typer.Option(metavar="NAME")] = HERE,
    browser: Annotated[bool, typer.Option("--browser/--no-browser")] = True,
    data: Annotated[Path | None, typer.Option(metavar="DIR")] = None,
    public: Annotated[str | None, typer.Option(metavar="NAME")] = None,
    proxy: Annotated[list[str] | None, typer.Option(metavar="ADDRESS")] = None,
    contest: Annotated[list[Path] | None, typer.Option("--class", metavar="DIR")] = None,
    log: Annotated[bool, typer.Option("--log")] = False,
) -> None:
    """Serve the web app until Ctrl-C, and open it in the browser if *browser* and if there is one.

    If a server runs already, open that one. *port* None: the usual one, or else a free one; *host*
    is the address to listen at; *data* the data folder (None: the user's). *public* is the name of
    a server for strangers, behind the proxies at the addresses *proxy*: both or neither are given.
    *contest* are folders of contests to show; *log* writes a line of JSON for each response. Raise
    FolderInUse if a server runs on the same data folder and its address is unknown or an option
    asks for another server; raise PapanError if the port or an option is invalid.
    """
    from papan.contest.plan import PLAN, read_plan
    from papan.web.owner import FolderInUse, address_with_code
    from papan.web.serving import run_server  # only this command needs it
    from papan.web.settings import ServerSettings

    contests = tuple(folder.resolve() for folder in contest or ())
    for folder in contests:
        read_plan(folder / PLAN)  # raises where there is no contest
    settings = ServerSettings(log=log, contests=contests)
    settings = settings if data is None else replace(settings, data=data)
    proxies = tuple(proxy or ())
    if bool(public) != bool(proxies):
        raise PapanError("serve.public_and_proxy")
    if public:
        settings = settings.for_strangers(public, _networks(proxies))
    browse = browser and has_browser()
    try:
        run_server(host, port, browse, Terminal(), settings)
    except FolderInUse as other:
        if not other.url or port is not None or host != HERE or public or contests:
            raise  # a server of its own was asked for, and is not possible
        _point_to(other.folder, address_with_code(other.url, other.token), browse)


def _point_to(folder: Path, address: str, browse: bool) -> None:
    """Print the *address* of the server that has the data *folder*, and open it if *browse*."""
    from papan.web.serving import open_browser

    print(address, flush=True)
    progress(say("serve.already_opened" if browse else "serve.already"))
    if browse:
        open_browser(folder, address)


def has_browser() -> bool:
    """Return whether there is a screen on which a browser can open: always on Windows and macOS.

    Elsewhere there is one if DISPLAY or WAYLAND_DISPLAY is set and not empty.
    """
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _networks(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """Return *addresses* unchanged, after a check that each is an IP address or a network.

    A network is such as ``10.0.0.0/8``. Raise PapanError for anything else.
    """
    for address in addresses:
        try:
            ip_network(address, strict=False)
        except ValueError:
            raise PapanError("serve.bad_proxy", address=address) from None
    return addresses


class Terminal:
    """Shows in the terminal what a server does: its address, and the progress of the compiler."""

    def announce(self, url: str, lacking: PapanError | None) -> None:
        """Print the owner's address *url* on standard output, and other news on standard error.

        If *url* is not at an address that only this machine can reach, the news include the address
        for other people: *url* without the owner's code. *lacking* is the reason why nothing can be
        saved; None if everything can.
        """
        print(url, flush=True)
        progress(say("serve.running"))
        others = url.partition("?")[0]
        if urlsplit(others).hostname not in (HERE, "localhost", "::1"):
            progress(say("serve.others", url=others))
        if lacking is not None:
            progress(complaint(lacking))

    def on_compiled(self, compiled: Progress | None) -> None:
        """Show how many searches of how many are compiled, in one line and on a terminal only.

        *compiled* counts them; None clears the line.
        """
        if compiled is None:
            rewrite("")
        else:
            rewrite(say("web.compiling", done=compiled.done, total=compiled.total))
