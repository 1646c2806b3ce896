import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { decides, isOldEnough, isSecond, isToApprove, wasPaidBefore } from "../built/admin/duties.js";
import { commandOf, GO_MS, LETTERS, rowAfter } from "../built/admin/keys.js";
import { readSaved, SAVED_MAX, withoutSaved, withSaved } from "../built/admin/saved.js";
import { pluralOf } from "../built/shared/plural.js";

const texts = Object.fromEntries(["en", "pt-BR"].map((tag) => [tag, JSON.parse(readFileSync(new URL(`../src/locales/admin/${tag}.json`, import.meta.url), "utf8"))]));

test("a counted text takes the form of its count in each language", () => {
  const say = (tag, key, count) => texts[tag][pluralOf(key, count, tag, (form) => form in texts[tag])].replace("{count}", count);
  assert.deepEqual([0, 1, 2, 1_000_000].map((n) => say("en", "overview.days", n)), ["0 days", "1 day", "2 days", "1000000 days"]);
  assert.deepEqual([0, 1, 2, 1_000_000].map((n) => say("pt-BR", "overview.days", n)), ["0 dia", "1 dia", "2 dias", "1000000 dias"]);
});

/** Values that texts insert as they are. Another one that is a number of things is {count}. */
const PLAIN = new Set(["agent", "amount", "balance", "code", "from", "game", "kind", "name", "number", "period", "role", "to", "token", "type", "url", "what"]);

test("every counted text has its forms, in both languages the same", () => {
  for (const [tag, all] of Object.entries(texts)) {
    for (const [key, text] of Object.entries(all)) {
      const values = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const name of values) assert(name === "count" || PLAIN.has(name), `${tag} ${key}: {${name}} is neither {count} nor a known value`);
      const form = /^(.*)\.(one|other)$/.exec(key);
      assert.equal(values.includes("count"), form !== null, `${tag} ${key}: ${text}`);
      if (form !== null) assert(`${form[1]}.one` in all && `${form[1]}.other` in all && all[`${form[1]}.one`] !== all[`${form[1]}.other`], `${tag} ${key}`);
    }
  }
  assert.deepEqual(Object.keys(texts.en).sort(), Object.keys(texts["pt-BR"]).sort());
});

test("the second person decides, with the permission of the kind", () => {
  const money = (permission) => permission === "balances:write";
  assert.equal(decides("payouts.resume"), "withdraw:approve");
  assert.equal(isSecond({ kind: "adjustment", by: "a" }, "b", money), true);
  assert.equal(isSecond({ kind: "adjustment", by: "b" }, "b", money), false);
  assert.equal(isSecond({ kind: "payouts.resume", by: "a" }, "b", money), false);
});

test("a withdrawal waits for those who may approve it and haven't", () => {
  assert.equal(isToApprove({ wallet: "p" }, [], "a"), true);
  assert.equal(isToApprove({ wallet: "p" }, [{ by: "b" }], "a"), true);
  assert.equal(isToApprove({ wallet: "p" }, [{ by: "b" }, { by: "a" }], "a"), false);
  assert.equal(isToApprove({ wallet: "a" }, [], "a"), false);
});

test("a role moves money after a day, a founding one at once", () => {
  const day = 24 * 3_600_000;
  assert.equal(isOldEnough({ founding: false, grantedAt: 1000 }, 999 + day), false);
  assert.equal(isOldEnough({ founding: false, grantedAt: 1000n }, 1000 + day), true);
  assert.equal(isOldEnough({ founding: true, grantedAt: 1000 }, 1000), true);
});

test("an address was paid before by other withdrawals alone", () => {
  const payout = (id, updatedAt, more = {}) => ({ id, type: "withdrawal", status: "completed", destination: "x", updatedAt, ...more });
  const open = payout("shown", 5, { status: "pending" });
  assert.equal(wasPaidBefore(open, [open]), false);
  assert.equal(wasPaidBefore(open, [payout("other", 9)]), true);
  for (const more of [{ destination: "y" }, { status: "sending" }, { type: "deposit" }]) assert.equal(wasPaidBefore(open, [payout("other", 1, more)]), false);
  const paid = payout("shown", 5);
  assert.equal(wasPaidBefore(paid, [paid]), false);
  assert.equal(wasPaidBefore(paid, [paid, payout("later", 6)]), false);
  assert.equal(wasPaidBefore(paid, [paid, payout("earlier", 4)]), true);
});

test("keys are commands", () => {
  assert.deepEqual(["/", "j", "k", "?", "g"].map((key) => commandOf(key, null, 0)?.does), ["filter", "next", "previous", "help", "begin"]);
  assert.equal(commandOf("w", null, 0), null);
  assert.deepEqual(commandOf("w", 0, GO_MS), { does: "go", to: "withdrawals" });
  assert.equal(commandOf("w", 0, GO_MS + 1), null);
  assert.equal(commandOf("x", 0, 1), null);
  assert.equal(commandOf("j", 0, 1), null, "after g a letter is a section or nothing");
  assert.equal(new Set(Object.values(LETTERS)).size, Object.keys(LETTERS).length, "two sections have one letter");
});

test("every section has a letter", () => {
  const names = [...readFileSync(new URL("../src/admin/sections.ts", import.meta.url), "utf8").matchAll(/\{ name: "(\w+)"/g)].map(([, name]) => name);
  assert(names.length > 10);
  assert.deepEqual(names.toSorted(), Object.keys(LETTERS).sort());
});

test("steps stop at both ends of a list", () => {
  assert.deepEqual([rowAfter(-1, 1, 3), rowAfter(0, 1, 3), rowAfter(2, 1, 3), rowAfter(-1, -1, 3), rowAfter(0, -1, 3)], [0, 1, 2, 2, 0]);
});

test("filters are saved by name, and damaged ones are none", () => {
  let saved = withSaved(readSaved(null), " large ", "#/transactions/type=deposit");
  assert.deepEqual(saved, { large: "#/transactions/type=deposit" });
  assert.deepEqual(readSaved(saved), saved);
  assert.equal(withSaved(saved, "  ", "#/x"), null);
  assert.deepEqual(withoutSaved(saved, "large"), {});
  for (const kept of [[], null, 7, { a: "https://evil.example" }, { a: "javascript:alert(1)" }, { a: 1 }]) assert.deepEqual(readSaved(kept), {}, JSON.stringify(kept));
  for (let i = 0; i < SAVED_MAX - 1; i++) saved = withSaved(saved, `n${i}`, "#/a");
  assert.equal(withSaved(saved, "one more", "#/a"), null);
  assert.notEqual(withSaved(saved, "large", "#/b"), null);
});
