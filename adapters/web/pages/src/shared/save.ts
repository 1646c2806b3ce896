const TYPES: Record<string, string> = { json: "application/json", jsonl: "application/x-ndjson", csv: "text/csv" };

/** Saves a text as a file. */
export function save(name: string, ...parts: string[]): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type: TYPES[name.split(".").at(-1) ?? ""] ?? "text/plain" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
