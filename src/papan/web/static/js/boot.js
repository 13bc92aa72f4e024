// Sets the theme and the language before anything is painted: those chosen here, or else the system's.
// The only script that is no module.
(() => {
  /** @type {Record<string, string>} */
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem("papan.settings") ?? "{}") ?? {};
  } catch {
    // Nothing was chosen that can be read.
  }
  const root = document.documentElement;
  if (chosen.theme === "light" || chosen.theme === "dark") root.dataset.theme = chosen.theme;
  const language = chosen.language ?? navigator.languages.map((each) => each.slice(0, 2))[0];
  root.lang = language === "id" ? "id" : "en";
})();
