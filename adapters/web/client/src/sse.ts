// Server-sent events (HTML standard, 9.2.6), as far as the service uses them: lines end with a line
// feed.

/** A message of a stream: its data, empty if there is none, and its id, if it has one. */
export interface Message {
  data: string;
  id: string | null;
}

/** Reads messages from bytes that arrive in pieces of any length. */
export class Messages {
  private readonly decoder = new TextDecoder();
  private text = "";
  private data: string[] = [];
  private id: string | null = null;

  /** The messages that are complete with these bytes. */
  take(bytes: Uint8Array): Message[] {
    this.text += this.decoder.decode(bytes, { stream: true });
    const complete: Message[] = [];
    let from = 0;
    for (let end; (end = this.text.indexOf("\n", from)) >= 0; from = end + 1) {
      this.line(this.text.slice(from, end).replace(/\r$/, ""), complete);
    }
    this.text = this.text.slice(from);
    return complete;
  }

  private line(line: string, complete: Message[]): void {
    if (line === "") {
      if (this.data.length > 0 || this.id !== null) complete.push({ data: this.data.join("\n"), id: this.id });
      this.data = [];
      this.id = null;
      return;
    }
    const at = line.indexOf(":");
    const field = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? "" : line.slice(at + 1).replace(/^ /, "");
    if (field === "data") this.data.push(value);
    if (field === "id" && !value.includes("\u0000")) this.id = value;
  }
}
