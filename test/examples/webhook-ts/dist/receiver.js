// Receives what a casino's webhook sends: it believes what carries the endpoint's signature,
// and writes each event once, a line of JSON each, before it answers.
//
//   WEBHOOK_SECRET=whsec_… node dist/receiver.js 127.0.0.1:9000 events.jsonl
//
// It is an example to copy: Node.js alone, and nothing of the casino's.
import { createHmac, timingSafeEqual } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { createServer } from "node:http";
const bodyMax = 1 << 20;
const toleranceSeconds = 300;
const [address = "127.0.0.1:9000", name = "events.jsonl"] = process.argv.slice(2);
const key = Buffer.from((process.env["WEBHOOK_SECRET"] ?? "").replace(/^whsec_/, ""), "base64");
if (key.length < 24)
    throw new Error("WEBHOOK_SECRET is not the secret of a webhook");
const seen = readSeen();
const file = openSync(name, "a", 0o600);
/** The ids of the file's events; half a line of a crash is cut off. */
function readSeen() {
    const kept = existsSync(name) ? readFileSync(name) : Buffer.alloc(0);
    const whole = kept.lastIndexOf("\n") + 1;
    if (whole < kept.length)
        truncateSync(name, whole);
    const lines = kept.subarray(0, whole).toString("utf8").split("\n").slice(0, -1);
    return new Set(lines.map((line) => JSON.parse(line).id));
}
/** Whether somebody who has the secret sent this, within five minutes of now. */
function signed(headers, body, nowSeconds) {
    const id = String(headers["webhook-id"] ?? "");
    const stamp = String(headers["webhook-timestamp"] ?? "");
    if (!/^\d+$/.test(stamp) || Math.abs(nowSeconds - Number(stamp)) > toleranceSeconds)
        return false;
    const mac = createHmac("sha256", key).update(`${id}.${stamp}.`).update(body).digest("base64");
    const want = Buffer.from(`v1,${mac}`);
    return String(headers["webhook-signature"] ?? "").split(" ").some((each) => {
        const got = Buffer.from(each);
        return got.length === want.length && timingSafeEqual(got, want);
    });
}
/** Writes the event, unless it came before. It ends the process where that fails: half a
 * line may be there, which the next start cuts off. */
function keep(id, text) {
    if (seen.has(id))
        return;
    try {
        const line = Buffer.from(text.replaceAll("\n", " ") + "\n"); // as it came: amounts are beyond number
        if (writeSync(file, line) !== line.length)
            throw new Error("half a line was written");
        fsyncSync(file);
    }
    catch (fault) {
        console.error(fault);
        closeSync(file);
        process.exit(1);
    }
    seen.add(id);
}
function idOf(text) {
    try {
        const id = JSON.parse(text).id;
        return typeof id === "string" ? id : undefined;
    }
    catch {
        return undefined;
    }
}
/** The status that answers a delivery. */
function answer(headers, body) {
    if (!signed(headers, body, Date.now() / 1000))
        return 401;
    const text = body.toString("utf8");
    const id = idOf(text);
    if (id === undefined || id !== headers["webhook-id"])
        return 401;
    keep(id, text);
    return 204;
}
const server = createServer((request, response) => {
    const parts = [];
    let size = 0;
    request.on("data", (part) => {
        size += part.length;
        if (size <= bodyMax)
            parts.push(part);
    });
    request.on("end", () => {
        response.writeHead(size > bodyMax ? 401 : answer(request.headers, Buffer.concat(parts))).end();
    });
});
const [host = "", port = ""] = address.split(":");
server.listen(Number(port), host, () => {
    console.log(`listening on http://${host}:${server.address().port}`);
});
