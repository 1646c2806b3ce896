// A service for tests: it answers each request with the next of a list of answers, and records it.
import { createServer } from "node:http";

/** Answers are functions of the request and response, or { status, headers, body }. */
export async function served(t, answers) {
  const asked = [];
  const server = createServer((request, response) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => {
      asked.push({ method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(pieces).toString() });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (typeof answer === "function") return answer(request, response);
      response.writeHead(answer.status ?? 200, { "Content-Type": "application/json", ...answer.headers });
      response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? {}));
    });
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => new Promise((closed) => {
    server.close(closed);
    server.closeAllConnections();
  }));
  return { base: `http://127.0.0.1:${server.address().port}/casino`, asked };
}

/** Drops the request without an answer. */
export const lost = (request) => request.socket.destroy();

/** A refusal of the service. */
export const refused = (status, code, details = {}, headers = {}) => ({ status, headers, body: { error: "", code, message: "no", details, requestId: "r1" } });

export const fails = (promise) => promise.then((value) => { throw new Error(`it answers ${JSON.stringify(value)}`); }, (failure) => failure);
