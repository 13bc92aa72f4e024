// @ts-check
// Where the spots of a drawing lie, and which of them is next in a direction.

/** @typedef {{x: number, y: number, width: number, height: number, slanted: boolean}} Area */

/** @param {Area} area @returns {[number, number]} */
export function middle(area) {
  return [area.x + area.width / 2, area.y + area.height / 2];
}

/** Where the spots of a drawing lie: cells as squares, columns as all their cells, lines as diamonds
 * that share the room between them.
 * @param {SVGSVGElement} svg @param {boolean} cells Name cells, not the moves they belong to.
 * @returns {Map<string, Area>} */
export function areasOf(svg, cells) {
  const areas = new Map();
  for (const part of svg.querySelectorAll("[data-move], [data-cell]")) {
    const [move, cell] = [part.getAttribute("data-move"), part.getAttribute("data-cell")];
    const name = (cells ? cell ?? move : move ?? cell) ?? "";
    const area = part.tagName === "line" ? diamond(part) : square(part);
    areas.set(name, areas.has(name) ? union(areas.get(name), area) : area);
  }
  return areas;
}

/** @param {Element} part @param {string} name */
const amount = (part, name) => Number(part.getAttribute(name));

/** @param {Element} rect @returns {Area} */
function square(rect) {
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => amount(rect, name));
  return { x, y, width, height, slanted: false };
}

/** @param {Element} line @returns {Area} */
function diamond(line) {
  const [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map((name) => amount(line, name));
  const length = Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1));
  const [x, y] = [(x1 + x2 - length) / 2, (y1 + y2 - length) / 2];
  return { x, y, width: length, height: length, slanted: true };
}

/** @param {Area} one @param {Area} other @returns {Area} */
function union(one, other) {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const right = Math.max(one.x + one.width, other.x + other.width);
  const bottom = Math.max(one.y + one.height, other.y + other.height);
  return { x, y, width: right - x, height: bottom - y, slanted: one.slanted };
}

/** The nearest spot in a direction.
 * @param {Map<string, Area>} areas @param {string} from @param {[number, number]} direction */
export function beside(areas, from, [across, down]) {
  const here = areas.get(from);
  if (!here) return undefined;
  const [x, y] = middle(here);
  let best;
  let nearest = Infinity;
  for (const [name, area] of areas) {
    const [dx, dy] = [middle(area)[0] - x, middle(area)[1] - y];
    const ahead = dx * across + dy * down;
    const aside = Math.abs(dx * down) + Math.abs(dy * across);
    if (ahead > 1 && ahead >= aside && ahead + 2 * aside < nearest) {
      nearest = ahead + 2 * aside;
      best = name;
    }
  }
  return best;
}
