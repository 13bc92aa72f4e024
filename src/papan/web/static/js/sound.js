// @ts-check
// Sounds and vibrations of a game, for players who have switched them on.

import { settings } from "./settings.js";
/** @typedef {"move" | "reply" | "refused" | "won" | "lost" | "drawn"} Sound */

/** Pitch in hertz, start and length in seconds. @type {Record<Sound, [number, number, number][]>} */
const NOTES = {
  move: [[523, 0, 0.08]],
  reply: [[392, 0, 0.08]],
  refused: [[165, 0, 0.14]],
  won: [
    [523, 0, 0.14],
    [659, 0.12, 0.14],
    [784, 0.24, 0.3],
  ],
  lost: [
    [392, 0, 0.18],
    [330, 0.16, 0.3],
  ],
  drawn: [
    [440, 0, 0.14],
    [440, 0.18, 0.2],
  ],
};
/** Milliseconds on, off, on. @type {Record<Sound, number[]>} */
const VIBRATIONS = {
  move: [12],
  reply: [],
  refused: [30, 40, 30],
  won: [40, 60, 40, 60, 90],
  lost: [120],
  drawn: [40, 60, 40],
};
const LOUDNESS = 0.12;

/** @type {AudioContext | undefined} */
let context;

/** True if this device can vibrate. */
export const vibrates = "vibrate" in navigator;

/** Play the sound and the vibration of an event, as far as they are switched on. @param {Sound} event */
export function sound(event) {
  if (!navigator.userActivation?.hasBeenActive) return; // browsers are silent before the first touch
  if (settings.sound) for (const note of NOTES[event]) play(...note);
  if (settings.vibration && vibrates) navigator.vibrate(VIBRATIONS[event]);
}

/**
 * Play one fading note.
 * @param {number} pitch Hertz.
 * @param {number} start Seconds from now.
 * @param {number} length Seconds.
 */
function play(pitch, start, length) {
  context ??= new AudioContext();
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  const from = context.currentTime + start;
  tone.type = "triangle";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(LOUDNESS, from);
  volume.gain.exponentialRampToValueAtTime(0.001, from + length); // like wood, not like a buzzer
  tone.connect(volume).connect(context.destination);
  tone.start(from);
  tone.stop(from + length);
}
