// Sounds, generated as they are played. They are off until the player asks for them.

import { keptSwitch } from "../shared/kept";

type Sound = "won" | "lost";

/** The player's choice. */
export const sound = keptSwitch("casino.sound");

/** The notes of a sound: frequency in Hz, beginning and length in seconds. */
const NOTES: Record<Sound, [number, number, number][]> = {
  won: [[523, 0, 0.12], [659, 0.09, 0.12], [784, 0.18, 0.25]],
  lost: [[220, 0, 0.12], [165, 0.1, 0.2]],
};
const LOUDNESS = 0.12;
const SILENCE = 0.0001; // an exponential ramp can't end at 0

let audio: AudioContext | null = null;

/** Plays a sound if the player wants sounds and sees the page. */
export function play(name: Sound): void {
  if (!sound.value || document.hidden) return;
  audio ??= new AudioContext();
  void audio.resume();
  for (const [frequency, from, length] of NOTES[name]) {
    const note = audio.createOscillator();
    const volume = audio.createGain();
    const begin = audio.currentTime + from;
    note.type = "triangle";
    note.frequency.value = frequency;
    volume.gain.setValueAtTime(LOUDNESS, begin);
    volume.gain.exponentialRampToValueAtTime(SILENCE, begin + length);
    note.connect(volume).connect(audio.destination);
    note.start(begin);
    note.stop(begin + length);
  }
}
