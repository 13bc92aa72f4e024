// @ts-check
// What a move sounds like and feels like, for those who want it: a few notes, made here, and a short buzz.

import { settings } from "./settings.js";

/** @typedef {"move" | "reply" | "refused" | "won" | "lost" | "drawn"} Event */

/** Pitch in hertz, when it begins and how long it lasts, in seconds. @type {Record<Event, [number, number, number][]>} */
const NOTES = {
  move: [[523, 0, 0.08]], reply: [[392, 0, 0.08]], refused: [[165, 0, 0.14]],
  won: [[523, 0, 0.14], [659, 0.12, 0.14], [784, 0.24, 0.3]], lost: [[392, 0, 0.18], [330, 0.16, 0.3]], drawn: [[440, 0, 0.14], [440, 0.18, 0.2]],
};
/** Milliseconds on, off, on. @type {Record<Event, number[]>} */
const BUZZ = { move: [12], reply: [], refused: [30, 40, 30], won: [40, 60, 40, 60, 90], lost: [120], drawn: [40, 60, 40] };
const LOUDNESS = 0.12;

/** @type {AudioContext | undefined} */
let context;

/** Can this machine buzz? */
export const buzzes = "vibrate" in navigator;

/** Let an event be heard and felt, as far as that is wanted. @param {Event} event */
export function sound(event) {
  if (!navigator.userActivation?.hasBeenActive) return; // browsers are silent until they are touched
  if (settings.sound) for (const note of NOTES[event]) play(...note);
  if (settings.vibration && buzzes) navigator.vibrate(BUZZ[event]);
}

/** @param {number} pitch @param {number} start @param {number} length */
function play(pitch, start, length) {
  context ??= new AudioContext();
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  const from = context.currentTime + start;
  tone.type = "triangle";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(LOUDNESS, from);
  volume.gain.exponentialRampToValueAtTime(0.001, from + length); // it fades, as wood does
  tone.connect(volume).connect(context.destination);
  tone.start(from);
  tone.stop(from + length);
}
