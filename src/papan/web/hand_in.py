"""Routes of a student behind a secret link: hand in a bot, and see the result of its check and
games.

The code of the link comes as ``Authorization: Bearer CODE``: it is in the fragment of the link,
which no browser sends and no proxy logs, and in no cookie, so that no foreign page can use it.
"""

from math import ceil
from typing import Annotated

from fastapi import Depends, FastAPI, Query, Request

from papan.contest.submissions import SubmissionError, Version, hand_in
from papan.web.contest_facts import HandInPage, hand_in_page
from papan.web.contests import Contests, HandedIn
from papan.web.guard import TokenBuckets
from papan.web.owner import BEARER
from papan.web.request_work import RequestWork
from papan.web.search_queue import SearchQueue
from papan.web.wire import ERROR_CONTENT, Answers, Refused

HAND_IN_RATE, MOST_AT_ONCE = 1 / 10, 5
"""Files that a student may send: so many a second on average, and so many at once."""
STATUSES = {
    "contest.late": 403,
    "contest.disqualified": 403,
    "contest.too_large": 413,
    "contest.too_many_today": 429,
    "contest.not_stored": 503,
}
"""HTTP statuses of refusals by the key of their error; all others have 422."""


def add_hand_in(api: FastAPI, contests: Contests, queue: SearchQueue) -> None:
    """Add the routes with which students hand in bots to *contests* to *api*.

    *queue* limits how many threads of the server each client address uses.
    """
    buckets = TokenBuckets(HAND_IN_RATE, MOST_AT_ONCE)

    async def holder(request: Request) -> HandedIn:
        """Return the student whose secret code a request has as a bearer token.

        Raise Refused (404) if it has none, or nobody has that code; contests with invalid files are
        left out.
        """
        header = request.headers.get("authorization", "")
        code = header[len(BEARER) :] if header.lower().startswith(BEARER) else ""
        found = await RequestWork(request, queue).in_thread(contests.holder, code) if code else None
        if found is None:
            raise Refused(404, "class.no_link")
        return found

    async def page(link: HandedIn, request: Request) -> HandInPage:
        work = RequestWork(request, queue)
        contests.check_new(link.followed, await work.in_thread(_unchecked, link))
        return await work.in_thread(hand_in_page, link, contests.checks, contests.settings)

    no_link: Answers = {404: {"content": ERROR_CONTENT, "description": "Nobody has that link."}}

    @api.get("/v1/hand-in", tags=["class"], responses=no_link)
    async def look(link: Annotated[HandedIn, Depends(holder)], request: Request) -> HandInPage:
        """Return the page of the student whose secret code the request has; 404 if nobody has it.

        A contest with an invalid file counts as none. Missing checks of the student's bot are
        started.
        """
        return await page(link, request)

    @api.put("/v1/hand-in", tags=["class"], status_code=201)
    async def send(
        link: Annotated[HandedIn, Depends(holder)],
        request: Request,
        name: Annotated[str, Query(min_length=1, max_length=200)],
    ) -> HandInPage:
        """Store the file or archive in the body as the student's bot; return their page with status
        201.

        Only the suffix of *name* is used. Status 404 without a valid code, 403 after the deadline
        or if the student is disqualified, 413 if it is too large, 429 if there are too many, 503 if
        the disk is full, 422 for any other fault.
        """
        if wait := buckets.wait(f"{link.job.id} {link.student}"):
            raise Refused(429, "web.too_many", seconds=ceil(wait))
        data, work = await request.body(), RequestWork(request, queue)
        plan = (await work.in_thread(link.followed.look)).plan
        try:
            await work.in_thread(hand_in, link.followed.folder, plan, link.student, name, data)
        except SubmissionError as error:
            raise Refused(STATUSES.get(error.key, 422), error.key, **error.values) from None
        contests.go_on(link.job)
        return await page(link, request)


def _unchecked(link: HandedIn) -> list[Version]:
    return [each for each in link.followed.look().unchecked() if each.student == link.student]
