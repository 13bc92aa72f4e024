// @ts-check
// The addresses of the app: the links at the top of every screen, and which of them belongs to an address.

/** Screens that list what has addresses below theirs, and the texts of their links. */
const LISTS = [
  ["/puzzles", "puzzle.puzzles"],
  ["/learn", "learn.title"],
  ["/arena", "arena.title"],
  ["/lab", "web.lab"],
  ["/bots", "web.bots"],
  ["/games", "mine.title"],
  ["/help", "help.title"],
];

/** The links at the top of every screen. */
export const PLACES = [
  ["/", "screen.play"],
  ["/watch", "web.watch"],
  ["/analyse", "web.analyse"],
  ["/solve", "web.solve"],
  ...LISTS,
];

/** Return the name of the screen that an address asks for: its first part. @param {string} pathname */
export function screenName(pathname) { return pathname.split("/")[1] ?? ""; }

/**
 * Return whether a link leads to the screen of an address; games are played from the first page.
 * @param {string} href
 * @param {string} pathname
 */
export function isHere(href, pathname) {
  const [linked, here] = [screenName(href), screenName(pathname)];
  return linked === here || (href === "/" && here === "play");
}

/** Return the link back from an address that leads nowhere: to its list, or to the games. @param {string} pathname */
export function wayBack(pathname) {
  const lists = [...LISTS, ["/room", "room.play_friend"]];
  return lists.find(([href]) => screenName(href) === screenName(pathname)) ?? ["/", "screen.other_game"];
}
