// @ts-check
// The button of a sheet to print.

document.querySelector("button")?.addEventListener("click", () => window.print());
