import { s as languageMap } from "../core-BIWFpCIO.js";
import { a as clikeIndent, i as clikeComment, r as bracketIndenting } from "../shared-DXMiLwjC.js";
//#region src/languages/clike.ts
languageMap.clike = languageMap.js = languageMap.javascript = languageMap.ts = languageMap.typescript = languageMap.java = languageMap.cs = languageMap.csharp = languageMap.c = languageMap.cpp = languageMap.go = languageMap.d = languageMap.dart = languageMap.flow = languageMap.haxe = bracketIndenting(clikeComment, clikeIndent);
//#endregion

//# sourceMappingURL=clike.js.map