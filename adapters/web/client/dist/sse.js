// Server-sent events (HTML standard, 9.2.6), as far as the service uses them: lines end with a line
// feed.
/** Reads messages from bytes that arrive in pieces of any length. */
export class Messages {
    decoder = new TextDecoder();
    text = "";
    data = [];
    id = null;
    /** The messages that are complete with these bytes. */
    take(bytes) {
        this.text += this.decoder.decode(bytes, { stream: true });
        const complete = [];
        let from = 0;
        for (let end; (end = this.text.indexOf("\n", from)) >= 0; from = end + 1) {
            this.line(this.text.slice(from, end).replace(/\r$/, ""), complete);
        }
        this.text = this.text.slice(from);
        return complete;
    }
    line(line, complete) {
        if (line === "") {
            if (this.data.length > 0 || this.id !== null)
                complete.push({ data: this.data.join("\n"), id: this.id });
            this.data = [];
            this.id = null;
            return;
        }
        const at = line.indexOf(":");
        const field = at < 0 ? line : line.slice(0, at);
        const value = at < 0 ? "" : line.slice(at + 1).replace(/^ /, "");
        if (field === "data")
            this.data.push(value);
        if (field === "id" && !value.includes("\u0000"))
            this.id = value;
    }
}
