// @ts-check
// What bots can ask and say: the words of the Python API, of the line protocol, and the routes of the API.

/** What a bot in Python knows, each with the key of what it means.
 * @type {[string, string][]} */
export const KNOWN = [
  ["position.moves()", "web.knows_moves"],
  ["position.play(move)", "web.knows_play"],
  ["position.turn", "web.knows_turn"],
  ["position.scores()", "web.knows_scores"],
  ["papan.margin(position, seat)", "web.knows_margin"],
  ["position.game.move_name(move)", "web.knows_name"],
  ["str(position)", "web.knows_text"],
  ["GAMES = [\"connect4\", \"dots\"]", "web.knows_games"],
];

/** @type {[string, string][]} */
export const PAPAN_SAYS = [
  ["papan 1", "web.hears_papan"],
  ["position TEXT", "web.hears_position"],
  ["moves NAME \u2026", "web.hears_moves"],
  ["go seconds S seed N [nodes N]", "web.hears_go"],
  ["stop", "web.hears_stop"],
  ["quit", "web.hears_quit"],
];

/** @type {[string, string][]} */
export const PROGRAM_SAYS = [
  ["ready [GAME \u2026]", "web.says_ready"],
  ["move NAME [VALUE]", "web.says_move"],
  ["info TEXT", "web.says_info"],
  ["error TEXT", "web.says_error"],
];

/** The routes of an OpenAPI description, each with what it answers.
 * @param {{paths: Record<string, Record<string, {summary?: string, description?: string}>>}} description
 * @returns {[string, string][]} */
export function routes(description) {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, facts]) => /** @type {[string, string]} */ (
      [`${method.toUpperCase()} /api${path}`, facts.description ?? facts.summary ?? ""])));
}
