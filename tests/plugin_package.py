"""A package that brings plug-ins, good and broken ones."""

from pathlib import Path
from textwrap import dedent

NIM = """
    import papan
    from dataclasses import dataclass

    @dataclass(frozen=True)
    class Nim(papan.Game):
        '''Nim, after Bouton.'''
        size: int = 7
        name = "nim"
        fields = ("left", "turn")
        move_count = 3

        def start(self): return Heap(self, self.size, 0)
        def read(self, fields): return Heap(self, int(fields[0]), int(fields[1]) - 1)
        def move_name(self, move): return str(move + 1)
        def parse_move(self, text): return int(text) - 1

    @dataclass(frozen=True)
    class Heap(papan.Position):
        game: Nim
        left: int
        turn: int

        def moves(self): return range(min(3, self.left))
        def child(self, move): return Heap(self.game, self.left - move - 1, 1 - self.turn)
        def scores(self): return (0, 0) if self.left else (self.turn, 1 - self.turn)
        def write(self): return str(self.left), str(self.turn + 1)

    @dataclass
    class Greedy(papan.Agent):
        '''Takes as much as it can.'''
        name = "greedy"

        def decide(self, position, thinking): return papan.Analysis((position.moves()[-1],))

    class Thief(Greedy):
        name = "random"

    class Liar(Greedy):
        name = "liar"
        spec = "honest"

    def leave(): ...
"""


def install(folder: Path) -> Path:
    """Install it in a folder, for whoever has that folder on the path."""
    (folder / "plugged.py").write_text(dedent(NIM), encoding="utf-8")
    (folder / "quitter.py").write_text("raise SystemExit('no')", encoding="utf-8")
    facts = folder / "plugged-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Name: plugged\nVersion: 1.0\n", encoding="utf-8")
    (facts / "entry_points.txt").write_text(
        dedent("""
        [papan.games]
        nim = plugged:Nim
        gone = no_such_module:Game
        [papan.agents]
        greedy = plugged:Greedy
        thief = plugged:Thief
        liar = plugged:Liar
        leaver = plugged:leave
        quitter = quitter:Agent
        """),
        encoding="utf-8",
    )
    return folder
