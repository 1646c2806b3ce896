// Every code and reason of the contract, and every error of wallets, in both languages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { chainError, refusalText } from "../built/shared/refusals.js";

const contract = readFileSync(new URL("../openapi.yaml", import.meta.url), "utf8");
const listed = (pattern) => {
  const names = pattern.exec(contract)?.[1].split(",").map((name) => name.trim()) ?? [];
  assert.ok(names.length > 20, "the contract's list wasn't found");
  return names;
};
const codes = listed(/\n {4}ErrorCode:[\s\S]*?enum: \[([^\]]+)\]/);
const reasons = listed(/\n {12}reason:\n[\s\S]*?enum: \[([^\]]+)\]/);
const languages = ["en", "pt-BR"];
const texts = Object.fromEntries(languages.map((tag) => [tag, JSON.parse(readFileSync(new URL(`../src/locales/refusals.${tag}.json`, import.meta.url), "utf8"))]));

const SOL = { symbol: "SOL", decimals: 9 };
const reader = (language) => ({ texts: texts[language], language, token: () => SOL });
const say = (language, code, details = {}, more = {}) => refusalText({ code, details, requestId: "", retryAfter: 0, ...more }, reader(language));

/** Verbs of the instruction that a text ends with, after its last full stop, colon or comma. */
const INSTRUCTION = {
  en: /\b(Add|Ask|Bet|Check|Choose|Come back|Do|Enter|Finish|Go back|Leave|Load|Look|Open|Rotate|See|Send|Set|Sign in|Take|Try|Unlock|Wait|ask|come back|enter|go on|sign|sign in|try again)\b/,
  "pt-BR": /\b(Abra|Acerte|Aposte|Carregue|Confira|Descanse|Desbloqueie|Entre|Envie|Escolha|Espere|Fale|Informe|Peça|Pergunte|Repita|Tente|Termine|Troque|Veja|Verifique|Volte|aposte|continue|fale|volte)(?![\p{L}])/u,
};
const ENGLISH = /(?<!\p{L})(the|is|are|was|your|you|this|that|of|and|or|not|with|from|again|wallet|try|be|must|it|at most)(?!\p{L})/iu;

/** What no reader may see, whatever the details are. */
function proper(text, language) {
  const sentence = text.slice(text.search(/[.?!][^.?!]*[.?!:][^.?!]*$/) + 1);
  assert.match(sentence, INSTRUCTION[language], `says not what to do: ${text}`);
  assert.doesNotMatch(text, /[{}"[\]]|undefined|null|NaN/, `isn't a sentence: ${text}`);
  assert.doesNotMatch(text, /\b[A-Z]+_[A-Z_]+\b|\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w*\b/, `has a code's name: ${text}`);
  assert.doesNotMatch(text, /(?<![.,]\d*)\d{7}|base unit|unidades? básica/i, `has base units: ${text}`);
  if (language !== "en") assert.doesNotMatch(text, ENGLISH, `has English words: ${text}`);
}

const UNTIL = Date.UTC(2026, 10, 30, 15, 0);
const AMOUNTS = { token: "mint", min: 10_000, max: 10_000_000_000, maxPayout: 98_000_000_000n, balance: 1_500_000_000, fee: 2_039_280, left: 250_000_000 };

for (const language of languages) {
  test(`each code says what to do, in ${language}`, () => {
    for (const code of codes) {
      assert.ok(texts[language][code], `${code} has no text`);
      for (const details of [{}, AMOUNTS, { ...AMOUNTS, left: 0 }, { until: UNTIL }, { outcome: "unknown" }, { outcome: "none" }, { serverTime: UNTIL }, { field: "config.bets" }, { field: "unheard" }]) {
        proper(say(language, code, details), language);
      }
      proper(say(language, code, {}, { retryAfter: 12 }), language);
    }
  });

  test(`each reason says what to do, in ${language}`, () => {
    for (const reason of reasons) {
      assert.ok(texts[language][`reason.${reason}`], `${reason} has no text`);
      proper(say(language, "DEPOSIT_REJECTED", { reason }), language);
      proper(say(language, "DEPOSIT_REJECTED", { reason, until: UNTIL }, { retryAfter: 12 }), language);
    }
    const states = Object.keys(texts[language]).filter((key) => key.startsWith("INVALID_STATE.")).map((key) => key.split(".")[1]);
    for (const status of states) for (const rounds of [undefined, ["r"]]) proper(say(language, "INVALID_STATE", { status, rounds }), language);
  });

  test(`each error of a wallet says what to do, in ${language}`, () => {
    for (const key of Object.keys(texts[language]).filter((key) => key.startsWith("chain."))) proper(texts[language][key], language);
  });
}

test("both languages have the same texts with the same values", () => {
  const values = (text) => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).sort();
  assert.deepEqual(Object.keys(texts["pt-BR"]).sort(), Object.keys(texts.en).sort());
  for (const [key, text] of Object.entries(texts.en)) {
    assert.deepEqual(values(texts["pt-BR"][key]), values(text), key);
    assert.notEqual(texts["pt-BR"][key], text, `${key} isn't translated`);
  }
});

test("amounts are in the token's unit, moments and waits in the reader's language", () => {
  const expected = [
    ["WAGER_OUT_OF_RANGE", { token: "mint", min: 10_000, max: 10_000_000_000 }, {}, "0.00001 SOL to 10.00 SOL", "0,00001 SOL a 10,00 SOL"],
    ["WAGER_OUT_OF_RANGE", { maxPayout: 1_234_500_000_000 }, {}, "1,234.50 SOL", "1.234,50 SOL"],
    ["INSUFFICIENT_USER_FUNDS", { balance: 0 }, {}, "0.00 SOL", "0,00 SOL"],
    ["INSUFFICIENT_USER_FUNDS", { balance: 5_000_000, fee: 2_039_280 }, {}, "fee of 0.00203928 SOL", "taxa é de 0,00203928 SOL"],
    ["LIMIT_EXCEEDED", { limit: "loss.week", max: 2_000_000_000, left: 500_000_000, until: UNTIL }, {}, "weekly loss limit of 2.00 SOL: 0.50 SOL is left until November 30, 2026", "limite semanal de perdas de 2,00 SOL: restam 0,50 SOL até 30 de novembro de 2026"],
    ["LIMIT_EXCEEDED", { limit: "deposit.day", max: 2_000_000_000, left: 0, until: UNTIL }, {}, "daily deposit limit of 2.00 SOL is used up", "limite diário de depósitos de 2,00 SOL foi atingido"],
    ["PLAYER_EXCLUDED", { until: UNTIL, reason: "coolOff" }, {}, "a break from play until November 30, 2026", "pausa do jogo até 30 de novembro de 2026"],
    ["RATE_LIMITED", {}, { retryAfter: 12 }, "again in 12 seconds", "de novo em 12 segundos"],
    ["RATE_LIMITED", { reason: "pace" }, { retryAfter: 300 }, "again in 5 minutes", "de novo em 5 minutos"],
    ["INVALID_STATE", { status: "open", rounds: ["r"] }, {}, "still open", "ainda está aberta"],
    ["INVALID_STATE", { status: "open" }, {}, "went on", "continuou"],
    ["UNAVAILABLE", { outcome: "none" }, {}, "busy. Try again", "ocupado. Tente de novo"],
    ["UNAVAILABLE", { outcome: "unknown" }, {}, "isn't known", "não se sabe"],
    ["INTERNAL_ERROR", {}, { requestId: "01a20aea" }, "this number: 01a20aea", "este número: 01a20aea"],
    ["UNHEARD_OF", {}, {}, "on our side", "do nosso lado"],
  ];
  for (const [code, details, more, en, pt] of expected) {
    for (const [language, part] of [["en", en], ["pt-BR", pt]]) {
      const text = say(language, code, details, more);
      assert.ok(text.includes(part), `${text} has no "${part}"`);
    }
  }
  const unknown = refusalText({ code: "WAGER_OUT_OF_RANGE", details: AMOUNTS, requestId: "", retryAfter: 0 }, { ...reader("en"), token: () => undefined });
  assert.equal(unknown, texts.en.WAGER_OUT_OF_RANGE, "amounts of an unknown token are shown");
});

test("errors of wallets and the chain are recognized", () => {
  const errors = {
    declined: [{ code: 4001, message: "x" }, new Error("User rejected the request."), new Error("Transaction cancelled")],
    funds: [new Error("Transaction simulation failed: Error processing Instruction 2: custom program error: 0x1"), new Error("Attempt to debit an account but found no record of a prior credit."), "insufficient lamports 5, need 7"],
    rent: [new Error("Transaction results in an account (0) with insufficient funds for rent")],
    expired: [new Error("Blockhash not found"), new Error("TransactionExpiredBlockheightExceededError: block height exceeded")],
    simulation: [new Error("Transaction simulation failed: custom program error: 0x1771")],
    locked: [{ code: 4900, message: "" }, new Error("Wallet is locked")],
    pending: [{ code: -32002, message: "" }],
    busy: [new Error("429: Too Many Requests")],
    unknown: [new Error("Solflare: no account"), null, undefined, "?", { code: 40010, message: "" }],
  };
  for (const [want, all] of Object.entries(errors)) for (const each of all) assert.equal(chainError(each), want, String(each?.message ?? each));
});
