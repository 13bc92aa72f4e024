import { s as languageMap } from "../core-BIWFpCIO.js";
import { r as bracketIndenting } from "../shared-DXMiLwjC.js";
//#region src/languages/python.ts
languageMap.rpy = languageMap.renpy = languageMap.py = languageMap.python = bracketIndenting({ line: "#" }, /[([{][^)\]}]*$|:\s*$/);
//#endregion

//# sourceMappingURL=python.js.map