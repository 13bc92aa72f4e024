"""Bots that look alike: the same moves, and mistakes, on hidden positions; the same source text.

A lecturer judges the pairs that are found, as programs of one course are alike for many reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from papan.contest.submissions import Version
    from papan.contest.truth import ExactJudgement

TOKEN = re.compile(
    r"""(?P<space>\s+)|(?P<note>\#[^\n]*|//[^\n]*|/\*.*?(?:\*/|\Z))"""
    r"""|(?P<text>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)"""
    r"""|(?P<name>[^\W\d]\w*)|(?P<number>\d[\w.]*)|(?P<sign>.)""",
    re.DOTALL,
)
"""Pattern of one token of a source, in a group with the name of its kind.

A comment without its end goes on to the end of the source, a text to the end of its line. Else the
end would be looked for once more from each beginning, which takes long.
"""
WORDS = frozenset(
    (
        *("and", "as", "break", "case", "class", "const", "continue", "def", "do", "double"),
        *("elif", "else", "except", "float", "for", "from", "function", "if", "import", "in"),
        *("int", "is", "let", "new", "not", "or", "pass", "private", "public", "raise"),
        *("return", "static", "struct", "switch", "throw", "try", "var", "void", "while", "with"),
    )
)
"""Words of the languages that stay as they are; all other names become the same."""
RUN = 7
"""Length of the runs of tokens that are compared."""
LEAST_MOVES = 10
SAME_MOVES, SAME_SOURCE = 0.9, 0.6
"""Shares, 0 to 1, of equal moves and of common source text from which on a pair is suspicious."""


@dataclass(frozen=True)
class Likeness:
    """The likeness of two bots: shares, 0 to 1, of equal source text and of equal answers."""

    first: str
    """Name of the first player: ``NUMBER vVERSION``."""
    second: str
    """Name of the other player."""
    source: float
    """Number of `runs` of tokens that both have, divided by the number that one or both have: 0 to
    1.
    """
    moves: float
    """Share of the *asked* positions in which both gave the same move; 0 to 1, 0 without any."""
    asked: int
    """Number of hidden positions that both were asked."""
    mistakes: int
    """Number of hidden positions in which both gave the same wrong answer."""


def tokens(source: str) -> Iterator[str]:
    """Yield the tokens of *source*, in any language of bots, without comments and layout.

    Signs, one character each, and the `WORDS` of the languages stay as they are; a name, a number
    or a text in quotation marks becomes its kind: ``name``, ``number`` or ``text``. In every
    language what follows ``#`` or ``//`` on its line counts as a comment, and so does what is
    between ``/*`` and ``*/``.
    """
    for found in TOKEN.finditer(source):
        kind, text = found.lastgroup, found.group()
        if kind in ("space", "note"):
            continue
        yield text if kind == "sign" or text in WORDS else str(kind)


def runs(source: str) -> frozenset[tuple[str, ...]]:
    """Return the set of all sequences of `RUN` consecutive `tokens` of *source*, to be compared.

    If *source* has fewer than `RUN` tokens, the set has one sequence, of all of them: the empty
    tuple if there are none.
    """
    found = list(tokens(source))
    return frozenset(tuple(found[n : n + RUN]) for n in range(max(1, len(found) - RUN + 1)))


def likenesses(players: Mapping[str, Version], truth: ExactJudgement) -> list[Likeness]:
    """Return the suspicious pairs of *players*, most alike first; empty if there is none.

    *players* are the bots by the name of their player, *truth* has their answers. The larger of the
    shares `Likeness.source` and `Likeness.moves` decides the order, then the names. A pair is
    suspicious if its `Likeness.source` is at least `SAME_SOURCE`, or if both were asked at least
    `LEAST_MOVES` hidden positions and gave the same move in at least a share `SAME_MOVES` of them,
    a wrong one in some. Raise PapanError or OSError if a source cannot be read.
    """
    texts = {name: runs(version.source()) for name, version in players.items()}
    found = []
    for first, second in combinations(sorted(players), 2):
        one = likeness(first, second, texts, truth)
        alike_moves = one.asked >= LEAST_MOVES and one.moves >= SAME_MOVES and one.mistakes > 0
        if one.source >= SAME_SOURCE or alike_moves:
            found.append(one)
    return sorted(found, key=lambda each: (-max(each.source, each.moves), each.first, each.second))


def likeness(
    first: str, second: str, texts: Mapping[str, frozenset[tuple[str, ...]]], truth: ExactJudgement
) -> Likeness:
    """Return how much the players *first* and *second* are alike, given by name.

    *texts* has the `runs` of each player's source by name, *truth* their answers: a position in
    which neither gave a move is not one with the same answer. Raise KeyError if *texts* lacks one
    of the two.
    """
    both, either = texts[first] & texts[second], texts[first] | texts[second]
    answers = list(zip(truth.hidden, truth.answers.get(first, ()), truth.answers.get(second, ())))
    same = [(place, a) for place, a, b in answers if a is not None and a == b]
    wrong = sum(place.losses.get(a, 0) > 0 for place, a in same)
    share = len(same) / len(answers) if answers else 0.0
    return Likeness(first, second, len(both) / len(either), share, len(answers), wrong)
