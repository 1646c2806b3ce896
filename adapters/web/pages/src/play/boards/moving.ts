// Animations of a settled round. Nothing moves with turbo or for readers who asked for less motion.

import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { still } from "../motion";
import type { Table } from "../table";

/** Runs an animation of the element for each new round, and ends it when the result is shown. */
export function useMotion<T extends Element>(table: Table, animate: (element: T) => Animation | void): RefObject<T | null> {
  const element = useRef<T | null>(null);
  const moving = useRef<Animation | void>(undefined);
  const round = table.last.value?.id;
  const shown = table.revealed.value;
  useEffect(() => {
    if (round !== undefined && !table.revealed.peek() && element.current !== null) moving.current = animate(element.current);
    return () => moving.current?.cancel();
  }, [round]);
  useEffect(() => {
    if (shown) moving.current?.finish();
  }, [shown]);
  return element;
}

/** Calls a function with the part of an animation that has passed, from 0 to 1, on each frame. */
export function useProgress(table: Table, milliseconds: number, show: (part: number) => void): void {
  const round = table.last.value?.id;
  const shown = table.revealed.value;
  useEffect(() => {
    if (round === undefined) return undefined;
    if (shown || still()) return void show(1);
    const begun = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      show(Math.min(1, Math.max(0, now - begun) / milliseconds));
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [round, shown]);
}

/** The point of a wheel of 100 by 100 at a part of its turn, clockwise from above. */
export function pointAt(turn: number, radius: number): string {
  const angle = (turn - 0.25) * 2 * Math.PI;
  return `${(50 + radius * Math.cos(angle)).toFixed(3)} ${(50 + radius * Math.sin(angle)).toFixed(3)}`;
}
