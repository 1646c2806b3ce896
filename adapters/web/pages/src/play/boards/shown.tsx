// The outcome of a game without a board: its members by name.

import { stringify } from "../../shared/json";

export function Shown({ of }: { of: Record<string, unknown> }) {
  return (
    <dl class="shown">
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{Array.isArray(value) && value.every((each) => typeof each !== "object") ? value.join(" ") : typeof value === "string" ? value : stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
