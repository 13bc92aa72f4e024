// @ts-check
// A drawing as a picture of dots.

import { drawing, h } from "./dom.js";

const SHARP = 2; // dots for each unit of the drawing

/** A drawing as a PNG.
 * @param {string} svg @returns {Promise<Blob>} */
export async function pngOf(svg) {
  const { width, height } = drawing(svg);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = h("canvas", { width: SHARP * width.baseVal.value, height: SHARP * height.baseVal.value });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}
