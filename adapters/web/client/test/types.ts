// What compiles against the client's types and what doesn't: only tsc reads this file, it is never
// run.
import { Casino, type Answer, type Call, type Item, type ListCall, type Options, type Schemas } from "@casino-service/client";

declare const casino: Casino;
const bet: Options<"POST /play">["body"] = { gameType: "dice", wager: 9007199254740993n, token: "mint", config: { target: 50 } };

export async function calls(signal: AbortSignal): Promise<bigint> {
  const { round, balance } = await casino.play(bet, { idempotencyKey: "k", signal });
  // @ts-expect-error amounts may be bigint: they are not added up as numbers
  const wrong: number = round.payout + balance;
  const opened = await casino.openRound(bet);
  if ("status" in opened.round) await casino.step(opened.round, opened.round.choices[0]!.action);
  const claim = await casino.deposit("signature", "mint");
  if ("balance" in claim) BigInt(claim.balance);
  const overview: Schemas["Overview"] = await casino.call("GET /admin/overview")();
  await casino.call("DELETE /admin/roles/{wallet}")({ path: { wallet: overview.agents === 0 ? "a" : "b" } });
  for await (const record of casino.each("GET /admin/audit")({ query: { limit: 2, by: "wallet" } })) record.action.length;
  for await (const page of casino.pages("GET /history")()) page.nextCursor?.length;
  for await (const event of casino.events({ types: ["round.settled"] })) event.cursor.length;
  const sheet: string = await casino.sheet("GET /admin/games")();
  return BigInt(balance) + BigInt(wrong) + BigInt(sheet.length);
}

export async function mistakes(): Promise<void> {
  // @ts-expect-error no such call
  await casino.call("POST /plays")({});
  // @ts-expect-error a body is required
  await casino.call("POST /play")();
  // @ts-expect-error an amount is no text
  await casino.call("POST /play")({ body: { gameType: "dice", wager: "1", token: "mint" } });
  // @ts-expect-error a path needs its members
  await casino.call("GET /history/{id}")({});
  // @ts-expect-error what only reads takes no key
  await casino.call("GET /balance")({ idempotencyKey: "k" });
  // @ts-expect-error no such filter
  await casino.call("GET /history")({ query: { color: "red" } });
  // @ts-expect-error no list
  casino.each("GET /balance");
  // @ts-expect-error no sheet
  casino.sheet("GET /history");
}

// Every body that is sent has a type.
type Shapeless = { [C in Call]: Options<C> extends { body: infer B } ? (unknown extends B ? C : B extends Record<string, never> ? C : never) : never }[Call];
export const shapeless: [Exclude<Shapeless, "POST /gold_api" | "POST /gold_api/{method}" | "POST /hub88/{subject}/{call}">] extends [never] ? true : Shapeless = true;

// Every list is of something, and every call that answers JSON has a type.
type Nothing = { [C in ListCall]: [Item<C>] extends [never] ? C : never }[ListCall];
type Untyped = { [C in Call]: [Answer<C>] extends [never] ? C : unknown extends Answer<C> ? C : never }[Call];
export const nothing: [Nothing] extends [never] ? true : Nothing = true;
export const untyped: [Exclude<Untyped, "GET /docs" | "GET /docs/{asset}" | "GET /crash/stream" | "GET /events" | "GET /public/feed" | "GET /public/log/{epoch}/checkpoint" | "GET /public/log/{epoch}/tile/{level}/{index}">] extends [never] ? true : Untyped = true;
