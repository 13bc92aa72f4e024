// @ts-check
// The addresses of the app: the links at the top of every screen, and which of them belongs to an address.

/** Every screen with a link of its own, and the text of the link. */
export const PLACES = [
  ["/", "screen.play"],
  ["/watch/connect4", "web.watch"],
  ["/analyse/connect4", "web.analyse"],
  ["/solve/connect4", "web.solve"],
  ["/puzzles", "puzzle.puzzles"],
  ["/learn", "learn.title"],
  ["/arena", "arena.title"],
  ["/lab", "web.lab"],
  ["/bots", "web.bots"],
  ["/games", "mine.title"],
  ["/help", "help.title"],
];

/** Screens that list what has addresses below theirs. */
const LISTS = [
  ...PLACES.filter(([href]) => href.lastIndexOf("/") === 0 && href !== "/"),
  ["/room", "room.play_friend"],
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
  return LISTS.find(([href]) => screenName(href) === screenName(pathname)) ?? ["/", "screen.other_game"];
}
