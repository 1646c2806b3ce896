/** Saves a text as a file. */
export function save(name: string, ...parts: string[]): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type: name.endsWith(".json") ? "application/json" : "application/x-ndjson" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
