"""Train the nets of the agent `net` by self-play on a GPU: ``python -m tools.train.nets connect4``.

Gumbel AlphaZero: a search with the true rules improves on the policy of the net; the net learns
what the search found and how the games ended. Needs ``papan[train]`` (jax, mctx). The same seed
and steps train the same net, up to how the machine rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax
import jax.numpy as jnp
import mctx
import numpy as np

from tools.train.boards import BOARDS, State

Array: TypeAlias = Any
Params: TypeAlias = dict[str, Array]

NEVER = -1e9
"""Logit of an illegal move."""
DECAY = 0.99
"""Decay of the moving average by which the playing net follows the learning one."""
MARKS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0)
"""Shares of the training after which a net is saved for the learning curve."""


@dataclass(frozen=True)
class Plan:
    """All settings of a training: the board, its length, the net, the search, the learning."""

    board: str
    seconds: float = 300.0
    steps: int = 1_000_000
    """Maximum number of rounds of self-play and learning; *seconds* may end it earlier."""
    channels: int = 64
    blocks: int = 5
    simulations: int = 32
    considered: int = 16
    games: int = 4096
    """Number of games played at the same time."""
    plies: int = 8
    """Plies of each game in a round."""
    rounds_kept: int = 40
    batch: int = 2048
    reuse: float = 2.0
    """Mean number of times that each position is learned from."""
    rate: float = 1e-3
    blend: float = 0.9
    """Weight of the end of a game against the search's expectation (lambda), 0 to 1."""
    seed: int = 0
    resume: str = ""
    """File of an earlier training to resume; empty: start anew."""
    folder: str = "."


def layers(plan: Plan, planes: int, outputs: int) -> Iterator[tuple[str, tuple[int, ...], float]]:
    """Yield the name, the shape and the scale of the first random weights of each matrix of a net.

    *planes* are those of its input, *outputs* those of its policy for each cell.
    """
    wide = plan.channels
    yield "stem", (9 * planes, wide), (2 / (9 * planes)) ** 0.5
    for block in range(plan.blocks):
        yield f"block{block}.first", (9 * wide, wide), (2 / (9 * wide)) ** 0.5
        yield f"block{block}.pool", (2 * wide, wide), 0.3 * (1 / (2 * wide)) ** 0.5
        yield f"block{block}.second", (9 * wide, wide), 0.1 * (2 / (9 * wide)) ** 0.5
    yield "policy", (wide, 32), (2 / wide) ** 0.5
    yield "policy_out", (32, outputs), 0.1 * (1 / 32) ** 0.5
    yield "value", (2 * wide, 64), (1 / wide) ** 0.5
    yield "value_out", (64, 2), 0.1 * (1 / 64) ** 0.5


def fresh_net(plan: Plan, planes: int, outputs: int) -> Params:
    """Return an untrained net with random weights, arrays by name."""
    keys = iter(jax.random.split(jax.random.PRNGKey(plan.seed), 100))
    params = {}
    for name, shape, scale in layers(plan, planes, outputs):
        params[f"{name}.weights"] = jax.random.normal(next(keys), shape) * scale
        params[f"{name}.bias"] = jnp.zeros(shape[-1])
    return params


def forward(params: Params, image: Array, board: Array) -> tuple[Array, Array]:
    """Return the policies (logits) and the values (utility, margin) of many positions.

    What lies beyond a board stays 0, as if nothing were there. The NumPy version is in
    `papan.agents.net`.
    """
    kind = jnp.bfloat16 if jax.default_backend() == "gpu" else jnp.float32
    inside = board[..., None].astype(kind)
    cells = inside.sum((1, 2))

    def dense(x: Array, name: str) -> Array:
        """Return *x* after the dense layer *name*: x @ weights + bias."""
        weights, bias = params[f"{name}.weights"], params[f"{name}.bias"]
        return x @ weights.astype(x.dtype) + bias.astype(x.dtype)

    def convolve(x: Array, name: str) -> Array:
        """Return *x* after the 3x3 convolution *name*."""
        weights, bias = params[f"{name}.weights"], params[f"{name}.bias"]
        filters = weights.reshape(3, 3, x.shape[-1], -1).astype(kind)
        layout = ("NHWC", "HWIO", "NHWC")
        y = jax.lax.conv_general_dilated(x, filters, (1, 1), "SAME", dimension_numbers=layout)
        return y + bias.astype(kind)

    def pooled(x: Array) -> Array:
        """Return the mean and the maximum of each plane over the cells of the board."""
        return jnp.concatenate([x.sum((1, 2)) / cells, x.max((1, 2))], -1)

    x = jax.nn.relu(convolve(image.astype(kind), "stem")) * inside
    for block in range(sum(name.endswith("pool.bias") for name in params)):
        inner = convolve(x, f"block{block}.first")
        inner = inner + dense(pooled(x), f"block{block}.pool")[:, None, None]
        inner = jax.nn.relu(inner) * inside
        x = jax.nn.relu(x + convolve(inner, f"block{block}.second")) * inside
    policy = dense(jax.nn.relu(dense(x, "policy")), "policy_out").astype(jnp.float32)
    hidden = jax.nn.relu(dense(pooled(x).astype(jnp.float32), "value"))
    return policy.reshape(x.shape[0], -1), dense(hidden, "value_out")


class Trainer:
    """One training: its games, the memory of their positions, and the net that learns from it."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.board = plan, BOARDS[plan.board]()
        planes = jax.eval_shape(self.board.image, self.board.start(jax.random.PRNGKey(0))).shape[-1]
        self.params = fresh_net(plan, planes, self.board.outputs)
        self.turns = max(1, int(plan.reuse * plan.games * plan.plies / plan.batch))
        self.round_size = plan.games * plan.plies

    # -- thinking

    def look(self, params: Params, state: State) -> tuple[Array, Array, Array]:
        """Return for many positions the moves' logits, the values, and a mask of legal moves."""
        legal = jax.vmap(self.board.legal)(state)
        boards = jax.vmap(self.board.board)(state)
        policy, values = forward(params, jax.vmap(self.board.image)(state), boards)
        logits = jnp.take_along_axis(policy, jax.vmap(self.board.places)(state), 1)
        logits = jnp.where(legal, logits, NEVER)
        return logits - logits.max(-1, keepdims=True), values, legal

    def search(self, params: Params, key: Array, state: State) -> tuple[Array, Array, Array]:
        """Return for many positions a move, the improved policy, and the values found.

        The values are utility and margin.
        """
        plan = self.plan

        def follow(params: Params, key: Array, move: Array, inner: Any) -> Any:
            """Return what mctx asks for after a move, and the next positions.

            That is reward, discount, prior and value.
            """
            state, over = inner
            step = jax.vmap(self.board.step)(state, move)
            logits, values, _ = self.look(params, step.state)
            now = over | step.over
            discount = jnp.where(now, 0.0, jnp.where(step.again, 1.0, -1.0))
            output = mctx.RecurrentFnOutput(
                reward=jnp.where(over, 0.0, step.reward[:, 0]),
                discount=discount,
                prior_logits=logits,
                value=jnp.where(now, 0.0, values[:, 0]),
            )
            return output, (step.state, now)

        logits, values, legal = self.look(params, state)
        inner = (state, jnp.zeros(legal.shape[0], bool))
        root = mctx.RootFnOutput(prior_logits=logits, value=values[:, 0], embedding=inner)
        found = mctx.gumbel_muzero_policy(
            params,
            key,
            root,
            follow,
            plan.simulations,
            invalid_actions=~legal,
            max_num_considered_actions=min(plan.considered, self.board.moves),
            qtransform=partial(mctx.qtransform_completed_by_mix_value, value_scale=0.1),
        )
        summary = found.search_tree.summary()
        weights = jnp.where(summary.visit_counts > 0, found.action_weights, 0)
        utility = (weights * summary.qvalues).sum(-1) / jnp.maximum(weights.sum(-1), 1e-6)
        return found.action, found.action_weights, jnp.stack([utility, values[:, 1]], -1)

    # -- playing

    def opening(self, key: Array, sure: int = 0) -> State:
        """Return the first position of a game: the start, a few random moves later, or any stage.

        *sure* is the number of random moves; 0 draws it.
        """
        kinds, lengths, moves, begin = jax.random.split(key, 4)
        chance = jax.random.uniform(kinds)
        few, many = jax.random.randint(lengths, (2,), 1, jnp.array([9, self.board.plies]))
        length = jnp.where(chance < 0.35, 0, jnp.where(chance < 0.7, few, many))
        if sure:
            length = jnp.int32(sure)

        def move(index: Array, carried: tuple[State, Array]) -> tuple[State, Array]:
            """Return the position after a random move; unchanged after the opening or the end."""
            state, alive = carried
            logits = jnp.where(self.board.legal(state), 0.0, NEVER)
            step = self.board.step(
                state, jax.random.categorical(jax.random.fold_in(moves, index), logits)
            )
            alive = alive & (index < length) & ~step.over
            return jax.tree.map(partial(jnp.where, alive), step.state, state), alive

        most = sure or self.board.plies - 1
        begun = self.board.start(begin), jnp.bool_(True)
        state: State = jax.lax.fori_loop(0, most, move, begun)[0]
        return state

    def play(self, params: Params, key: Array, state: State) -> tuple[State, State, Array]:
        """Play `plies` plies of all games; return positions, samples, and how many games ended."""
        plan = self.plan

        def ply(state: State, key: Array) -> tuple[State, Any]:
            """Return the positions after one ply of all games, and the samples.

            Games that are over begin anew.
            """
            thought, anew = jax.random.split(key)
            move, weights, values = self.search(params, thought, state)
            step = jax.vmap(self.board.step)(state, move)
            others = jax.vmap(self.opening)(jax.random.split(anew, plan.games))

            def choose(new: Array, old: Array) -> Array:
                """Return the new array for games that are over, the old one for others."""
                return jnp.where(step.over.reshape(-1, *(1,) * (new.ndim - 1)), new, old)

            discount = jnp.where(step.over, 0.0, jnp.where(step.again, 1.0, -1.0))
            seen = (state, weights.astype(jnp.float16), step.reward, discount, values)
            return jax.tree.map(choose, others, step.state), seen

        def back(later: tuple[Array, Array], seen: Any) -> tuple[tuple[Array, Array], Array]:
            """Return the target of a ply's values, from those of the ply after it."""
            value, target = later
            *_, reward, discount, values = seen
            mixed = (1 - plan.blend) * value + plan.blend * target
            target = reward + discount[:, None] * mixed
            return (values, target), target

        state, seen = jax.lax.scan(ply, state, jax.random.split(key, plan.plies))
        _, last, _ = self.look(params, state)
        _, targets = jax.lax.scan(back, (last, last), seen, reverse=True)
        lesson = {"state": seen[0], "weights": seen[1], "targets": targets}
        flat = jax.tree.map(lambda x: x.reshape(self.round_size, *x.shape[2:]), lesson)
        return state, flat, (seen[3] == 0).sum()

    # -- learning

    def loss(self, params: Params, lesson: State) -> tuple[Array, Array]:
        """Return the loss of the net on a batch, and its parts: policy, utility and margin."""
        logits, values, _ = self.look(params, lesson["state"])
        weights = lesson["weights"].astype(jnp.float32)
        log = jnp.where(weights > 0, jax.nn.log_softmax(logits), 0)
        entropy = -(weights * jnp.log(jnp.maximum(weights, 1e-9))).sum(-1).mean()
        policy = -(weights * log).sum(-1).mean()
        errors = ((values - lesson["targets"]) ** 2).mean(0)
        facts = jnp.stack([policy - entropy, *errors])
        return policy + 1.5 * errors[0] + 0.3 * errors[1], facts

    def learn(self, carried: Any, key: Array, memory: State, filled: Array, rate: Array) -> Any:
        """Take one step of Adam on positions drawn from memory, each turned at random.

        *carried* has both nets and the optimizer's state; return it updated, with the parts of the
        loss.
        """
        params, player, first, second, time = carried
        draw, turn = jax.random.split(key)
        picked = jax.random.randint(draw, (self.plan.batch,), 0, filled)
        lesson = jax.tree.map(lambda x: x[picked], memory)
        ways = jax.random.randint(turn, (self.plan.batch,), 0, self.board.symmetries)
        state, weights = jax.vmap(self.board.turn)(lesson["state"], lesson["weights"], ways)
        lesson = lesson | {"state": state, "weights": weights}
        (_, facts), slope = jax.value_and_grad(self.loss, has_aux=True)(params, lesson)
        length = jnp.sqrt(sum((x**2).sum() for x in jax.tree.leaves(slope)))
        slope = jax.tree.map(lambda x: x * jnp.minimum(1.0, 2.0 / (length + 1e-9)), slope)
        time = time + 1
        first = jax.tree.map(lambda m, x: 0.9 * m + 0.1 * x, first, slope)
        second = jax.tree.map(lambda v, x: 0.99 * v + 0.01 * x * x, second, slope)

        def move(old: Array, mean: Array, square: Array) -> Array:
            """Return weights after one step of Adam with decay."""
            step = mean / (1 - 0.9**time) / (jnp.sqrt(square / (1 - 0.99**time)) + 1e-8)
            return old - rate * (step + 1e-3 * old)

        params = jax.tree.map(move, params, first, second)
        player = jax.tree.map(lambda e, p: DECAY * e + (1 - DECAY) * p, player, params)
        return (params, player, first, second, time), facts

    @partial(jax.jit, static_argnums=0, donate_argnums=1)
    def round(self, carried: Any, key: Array, rate: Array, slot: Array, filled: Array) -> Any:
        """Play some plies of all games, then take some steps of learning.

        Return all state, the mean parts of the loss, and the number of games that ended.
        """
        state, memory, learner = carried
        playing, learning = jax.random.split(key)
        state, lesson, ended = self.play(learner[1], playing, state)
        begin = slot * self.round_size

        def keep(old: Array, new: Array) -> Array:
            """Return an array of the memory with the new samples at their place."""
            return jax.lax.dynamic_update_slice_in_dim(old, new, begin, 0)

        memory = jax.tree.map(keep, memory, lesson)
        step = partial(self.learn, memory=memory, filled=filled * self.round_size, rate=rate)
        learner, facts = jax.lax.scan(step, learner, jax.random.split(learning, self.turns))
        return (state, memory, learner), facts.mean(0), ended

    # -- comparing

    @partial(jax.jit, static_argnums=0)
    def match(self, params: Params, rival: Params, key: Array) -> Array:
        """Return wins, draws, losses of a raw policy against another: 256 openings, each twice."""
        keys = jax.random.split(key, 256)
        state = jax.vmap(partial(self.opening, sure=4))(jnp.concatenate([keys, keys]))
        first = jnp.arange(512) < 256

        def ply(carried: Any, _: Array) -> Any:
            """Return the state of all games after one ply, in the form that `scan` takes."""
            state, first, over, ahead = carried
            moves = [self.look(each, state)[0].argmax(-1) for each in (params, rival)]
            step = jax.vmap(self.board.step)(state, jnp.where(first, *moves))
            gain = jnp.where(first, 1, -1) * step.reward[:, 1]
            ahead = ahead + jnp.where(over, 0, gain)
            first = jnp.where(step.again, first, ~first)
            return (step.state, first, over | step.over, ahead), None

        begin = (state, first, jnp.zeros(512, bool), jnp.zeros(512))
        (*_, ahead), _ = jax.lax.scan(ply, begin, jnp.arange(self.board.plies))
        return jnp.stack([(ahead > 0.01).sum(), (abs(ahead) <= 0.01).sum(), (ahead < -0.01).sum()])

    # -- all of it

    def begin(self, key: Array) -> Any:
        """Return the first state: games at all stages, an empty memory, and the learner."""
        params = self.params
        if self.plan.resume:
            kept = np.load(self.plan.resume)
            params = {name: jnp.asarray(kept[name], jnp.float32) for name in params}
        state = jax.jit(jax.vmap(self.opening))(jax.random.split(key, self.plan.games))
        room = self.round_size * self.plan.rounds_kept
        lesson = {
            "state": state,
            "weights": jnp.zeros((1, self.board.moves), jnp.float16),
            "targets": jnp.zeros((1, 2)),
        }
        memory = jax.tree.map(lambda x: jnp.zeros((room, *x.shape[1:]), x.dtype), lesson)
        zeros = (jax.tree.map(jnp.zeros_like, params) for _ in range(2))
        return state, memory, (params, jax.tree.map(jnp.copy, params), *zeros, jnp.float32(0))

    def rate(self, done: float, step: int) -> float:
        """Return the learning rate: constant for half of the training, then decreasing linearly.

        *done* is the share of the training that is over, 0 to 1.
        """
        rest = 1.0 if done < 0.5 else 1.0 - 0.95 * (done - 0.5) / 0.5
        return self.plan.rate * rest * min(1.0, (step + 1) / 5)

    def train(self) -> None:
        """Train, print the progress, and write the net with its manifest."""
        plan, key, began = self.plan, jax.random.PRNGKey(self.plan.seed), time.monotonic()
        carried, marks = self.begin(key), list(MARKS)
        stages: list[tuple[int, float, Params]] = []
        losses: list[dict[str, float]] = []
        games, step, clock, logged = 0, 0, None, 0.0
        while step < plan.steps:
            passed = time.monotonic() - clock if clock else 0.0
            done = max(passed / plan.seconds, step / plan.steps)
            while marks and done >= marks[0]:
                marks.pop(0)
                stages.append((step, round(passed, 1), jax.tree.map(np.asarray, carried[2][1])))
            if done >= 1:
                break
            slot, filled = step % plan.rounds_kept, min(step + 1, plan.rounds_kept)
            drawn = jax.random.fold_in(key, step + 1)
            carried, facts, ended = self.round(carried, drawn, self.rate(done, step), slot, filled)
            games, step = games + int(ended), step + 1
            if clock is None:
                clock = time.monotonic()
                print(
                    json.dumps({"net": plan.board, "compiled": round(clock - began, 1)}), flush=True
                )
            elif time.monotonic() - logged > 10:
                logged = time.monotonic()
                row = dict(
                    zip(("policy", "utility", "margin"), (round(float(x), 4) for x in facts))
                )
                losses.append({"seconds": round(passed, 1), "games": games, **row})
                speed = round(step * self.round_size / max(logged - clock, 1e-9))
                print(json.dumps({"net": plan.board, "speed": speed, **losses[-1]}), flush=True)
        final = jax.tree.map(np.asarray, carried[2][1])
        manifest = {
            "plan": asdict(plan),
            "device": str(jax.devices()[0].device_kind),
            "unit": self.board.unit,
            "steps": step,
            "games": games,
            "positions": step * self.round_size,
            "seconds": round(time.monotonic() - (clock or began), 1),
            "losses": losses,
        }
        self.write(final, manifest)
        manifest["curve"] = [
            {"step": at, "seconds": passed, "final_wins_draws_losses": self.score(final, old, at)}
            for at, passed, old in stages
        ]
        self.write(final, manifest)
        print(json.dumps({"net": plan.board, "curve": manifest["curve"]}), flush=True)

    def score(self, params: Params, rival: Params, seed: int) -> list[int]:
        """Return wins, draws and losses of a raw policy against another one."""
        return [int(x) for x in self.match(params, rival, jax.random.PRNGKey(seed))]

    def write(self, params: Params, manifest: dict[str, Any]) -> None:
        """Write a net with its manifest: half precision to play, full precision to resume."""
        folder = Path(self.plan.folder)
        folder.mkdir(parents=True, exist_ok=True)
        small: dict[str, Any] = {name: np.float16(x) for name, x in params.items()}
        np.savez_compressed(folder / f"{self.plan.board}.npz", **small)
        np.savez(folder / f"{self.plan.board}-full.npz", **params)
        text = json.dumps(manifest, indent=1)
        (folder / f"{self.plan.board}.json").write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Train one net with the settings of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("board", choices=BOARDS)
    for name, default in asdict(Plan("")).items():
        if name != "board":
            parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default)
    Trainer(Plan(**vars(parser.parse_args()))).train()


if __name__ == "__main__":
    main()
