// The scripts of all games that can be played without a server: web/bundle.py puts them together.

import type { GameScript } from "../offline/position.js";

export const GAMES: Record<string, GameScript>;
