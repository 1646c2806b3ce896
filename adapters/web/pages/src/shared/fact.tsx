import type { ComponentChildren } from "preact";

/** A line of a list of facts (dl). */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return <div><dt>{name}</dt><dd>{children}</dd></div>;
}
