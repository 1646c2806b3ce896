// The outcome of a game without a board: its members by name.

import { stringify } from "@casino-service/client";
import { Fact } from "../../shared/fact";

function shown(value: unknown): string {
  if (Array.isArray(value) && value.every((each) => typeof each !== "object")) return value.join(" ");
  return typeof value === "string" ? value : stringify(value);
}

export function Shown({ of }: { of: Record<string, unknown> }) {
  return <dl class="shown">{Object.entries(of).map(([name, value]) => <Fact key={name} name={name}>{shown(value)}</Fact>)}</dl>;
}
