// @ts-check
// The beginning: the texts, then the screen.

import { watchCompiler } from "./compiling.js";
import { loadTexts } from "./language.js";
import { show } from "./router.js";

await loadTexts();
await show();
await watchCompiler();
