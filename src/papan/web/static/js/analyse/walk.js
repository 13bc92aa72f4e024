// @ts-check
// Through the moves of a game, forward and back, and away from them.

/**
 * @typedef {object} Walker Who is told about it.
 * @property {() => void} pause Before anything changes.
 * @property {(moved: boolean) => void} arrived After it.
 * @property {(ply: number) => void} branched The game goes another way from a ply on.
 * @property {(error: unknown) => void} complain
 */

export class Walk {
  /** @param {import("../table.js").Table} table @param {Walker} walker */
  constructor(table, walker) {
    this.table = table;
    this.walker = walker;
  }

  /** All moves, also those that were taken back. */
  get line() {
    return [...this.table.moves, ...this.table.undone.slice().reverse()];
  }

  /** @param {() => Promise<void>} act */
  async #change(act) {
    this.walker.pause();
    const before = this.table.board;
    await act().catch((error) => this.walker.complain(error));
    this.walker.arrived(this.table.board !== before);
  }

  /** Make a move: the one that was taken back, or another.
   * @param {string} move */
  async move(move) {
    const { table } = this;
    const next = table.undone[table.undone.length - 1];
    if (next !== move) this.walker.branched(table.moves.length);
    await this.#change(() => (next === move ? table.go(table.moves.length + 1) : table.play(move)));
  }

  /** To the position after so many moves.
   * @param {number} count */
  async go(count) {
    if (count >= 0 && count <= this.line.length) await this.#change(() => this.table.go(count));
  }

  /** So many moves on; false where there is nothing to step to.
   * @param {number} plies */
  step(plies) {
    const count = this.table.moves.length + plies;
    this.go(count);
    return count >= 0 && count <= this.line.length;
  }
}
