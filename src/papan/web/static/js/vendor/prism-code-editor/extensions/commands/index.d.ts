// The commands of the editor that papan uses, for the checker of types alone: no browser reads this.

import type { Extension } from "../../index.js";

export function defaultCommands(): Extension;
