// Keys of the console: moving in lists and between sections. Off while something is typed or a
// dialog is open, and as long as the reader wants (WCAG 2.1.4).

import { signal } from "@preact/signals";
import { keptSwitch } from "../shared/kept";
import { KeysDialog } from "../shared/keys-dialog";
import { to } from "../shared/route";
import { commandOf, LETTERS, rowAfter, type Command } from "./keys";
import { sections } from "./sections";
import { me } from "./me";
import { t } from "./text";

const on = keptSwitch("casino.console.keys", "on");
const shown = signal(false);
let begun: number | null = null;

export function showKeys(): void {
  shown.value = true;
}

function isTyped(at: EventTarget | null): boolean {
  return at instanceof HTMLElement && (at.isContentEditable || at.matches("input, select, textarea"));
}

/** Moves the focus to another row of the list that has it, else of the first one. */
function step(by: 1 | -1): void {
  const list = document.activeElement?.closest("main table") ?? document.querySelector("main table:has([data-row])");
  const rows = [...(list?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
  const row = rows[rowAfter(rows.findIndex((each) => each.contains(document.activeElement)), by, rows.length)];
  row?.focus();
  row?.scrollIntoView({ block: "nearest" });
}

function run(command: Command): void {
  if (command.does === "filter") document.querySelector<HTMLElement>(".filters :is(input, select)")?.focus();
  else if (command.does === "next") step(1);
  else if (command.does === "previous") step(-1);
  else if (command.does === "help") showKeys();
  else if (command.does === "go" && sections().some((each) => each.name === command.to)) location.hash = to(command.to);
}

function press(event: KeyboardEvent): void {
  const at = event.target;
  if (event.key === "Enter" && at instanceof HTMLElement && at.matches("[data-row]")) {
    event.preventDefault();
    at.querySelector<HTMLElement>("a, button")?.click();
    return;
  }
  if (!on.value || me.value === null || event.ctrlKey || event.altKey || event.metaKey || event.isComposing || isTyped(at) || shown.value || document.querySelector("dialog[open]") !== null) {
    begun = null;
    return;
  }
  if (event.key === "Shift") return; // on the way to ?
  const command = commandOf(event.key, begun, event.timeStamp);
  begun = command?.does === "begin" ? event.timeStamp : null;
  if (command === null) return;
  event.preventDefault(); // the key isn't typed into the field that it leads to
  run(command);
}

export function beginKeys(): void {
  addEventListener("keydown", press);
}

/** The keys, and the switch that turns them off. */
export function Keys() {
  if (!shown.value) return null;
  const single = [["/", t("keyboard.filter")], ["j", t("keyboard.next")], ["k", t("keyboard.previous")], ["Enter", t("keyboard.open")], ["?", t("keyboard.help")]] as const;
  const all = [...single, ...sections().map((each) => [["g", LETTERS[each.name] ?? ""], t(each.text)] as const)] as [string | string[], string][];
  return <KeysDialog on={on} label={t("keyboard.on")} explain={t("keyboard.off.explain")} keys={all} onClose={() => (shown.value = false)} />;
}
