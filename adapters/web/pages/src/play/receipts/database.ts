// The kept answers and keys in IndexedDB. Whatever several tabs do is in one transaction each.

import { compare, placeOf, sealOf, surplus, type Kept, type Seal, type SeenKey, type State, type Verdict } from "./rules";

type Id = IDBValidKey;

let opened: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((done, failed) => {
    const asked = indexedDB.open("casino.receipts", 1);
    asked.onupgradeneeded = () => {
      const kept = asked.result.createObjectStore("kept", { autoIncrement: true });
      kept.createIndex("wallet", "wallet");
      kept.createIndex("thing", ["wallet", "id"]);
      kept.createIndex("state", ["wallet", "state"]);
      kept.createIndex("place", ["wallet", "place"]);
      kept.createIndex("of", ["wallet", "of"]);
      asked.result.createObjectStore("keys", { keyPath: "kid" });
    };
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
  return opened;
}

function answer<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
}

/** Does something in one transaction, and waits until it is stored. */
async function within<T>(store: "kept" | "keys", mode: IDBTransactionMode, what: (of: IDBObjectStore) => Promise<T>): Promise<T> {
  const all = (await database()).transaction(store, mode);
  const stored = new Promise<void>((done, failed) => {
    all.oncomplete = () => done();
    all.onabort = () => failed(all.error);
  });
  stored.catch(() => undefined); // whoever waits for it hears of it
  const got = await what(all.objectStore(store));
  await stored;
  return got;
}

/** Keeps an answer, and drops the oldest of its wallet that are too many. */
export function add(kept: Kept): Promise<void> {
  return within("kept", "readwrite", async (of) => {
    const same = (await answer(of.index("thing").getAll([kept.wallet, kept.id]))) as Kept[];
    if (same.some(({ text }) => text === kept.text)) return; // a repeated answer
    of.add(kept);
    let left = surplus(await answer(of.index("wallet").count(kept.wallet)));
    if (left === 0) return;
    await new Promise<void>((done, failed) => {
      const oldest = of.index("wallet").openCursor(kept.wallet);
      oldest.onerror = () => failed(oldest.error);
      oldest.onsuccess = () => {
        const at = oldest.result;
        if (at === null || left === 0) return done();
        if ((at.value as Kept).state !== "wrong") {
          at.delete();
          left--;
        }
        at.continue();
      };
    });
  });
}

/** Some kept answers of a wallet in a state, oldest first, with their keys. */
export function inState(wallet: string, state: State, most: number): Promise<[Id, Kept][]> {
  return within("kept", "readonly", async (of) => {
    const index = of.index("state");
    const [keys, values] = await Promise.all([answer(index.getAllKeys([wallet, state], most)), answer(index.getAll([wallet, state], most))]);
    return keys.map((key, i) => [key, values[i] as Kept]);
  });
}

/** Stores what a check found of an answer, unless another tab did or it was dropped. */
export function judge(key: Id, verdict: Verdict): Promise<void> {
  return within("kept", "readwrite", async (of) => {
    const kept = (await answer(of.get(key))) as Kept | undefined;
    if (kept === undefined || kept.state !== "new") return;
    const { head } = verdict;
    const places = head === null ? [] : [-1n, 0n, 1n].map((next) => answer(of.index("place").getAll([kept.wallet, placeOf(head, next)])));
    const siblings = kept.id === "" ? Promise.resolve([]) : answer(of.index("thing").getAll([kept.wallet, kept.id]));
    const neighbours = (await Promise.all(places)).flat() as Kept[];
    await answer(of.put(compare(kept, verdict, neighbours, (await siblings) as Kept[]), key));
  });
}

/** Changes the kept answers of some rounds of a wallet; returns whether any changed. */
export function change(wallet: string, ids: string[], how: (kept: Kept) => Kept): Promise<boolean> {
  return within("kept", "readwrite", async (of) => {
    let changed = false;
    const index = of.index("thing");
    await Promise.all(ids.map(async (id) => {
      const [keys, values] = await Promise.all([answer(index.getAllKeys([wallet, id])), answer(index.getAll([wallet, id]))]);
      await Promise.all(keys.map(async (key, i) => {
        const before = values[i] as Kept;
        const now = how(before);
        if (now.state === before.state) return;
        changed = true;
        await answer(of.put(now, key));
      }));
    }));
    return changed;
  });
}

/** The seals of rounds of a wallet. */
export function sealsOf(wallet: string, ids: string[]): Promise<Record<string, Seal>> {
  return within("kept", "readonly", async (of) => {
    const all = await Promise.all(ids.map((id) => answer(of.index("thing").getAll([wallet, id]))));
    const found: Record<string, Seal> = {};
    ids.forEach((id, i) => {
      const seal = sealOf(all[i] as Kept[]);
      if (seal !== null) found[id] = seal;
    });
    return found;
  });
}

/** The ids of the newest rounds of a wallet that were checked and have ended. */
export function newestRounds(wallet: string, most: number): Promise<string[]> {
  return within("kept", "readonly", (of) => new Promise((done, failed) => {
    const ids: string[] = [];
    const newest = of.index("wallet").openCursor(wallet, "prev");
    newest.onerror = () => failed(newest.error);
    newest.onsuccess = () => {
      const at = newest.result;
      if (at === null || ids.length === most) return done(ids);
      const { id, settled, state } = at.value as Kept;
      if (settled && (state === "signed" || state === "right")) ids.push(id);
      at.continue();
    };
  }));
}

export interface Counts {
  kept: number;
  checked: number;
  missing: number;
  refusals: number;
}

/** How many answers of a wallet are kept, and which. */
export function counts(wallet: string): Promise<Counts> {
  return within("kept", "readonly", async (of) => {
    const inStates = (...states: State[]) => Promise.all(states.map((state) => answer(of.index("state").count([wallet, state]))));
    const [kept, refusals, [signed = 0, right = 0, missing = 0]] = await Promise.all([
      answer(of.index("wallet").count(wallet)), answer(of.index("of").count([wallet, "refusal"])), inStates("signed", "right", "missing"),
    ]);
    return { kept, checked: signed + right, missing, refusals };
  });
}

/** All kept answers of a wallet, oldest first. */
export function all(wallet: string): Promise<Kept[]> {
  return within("kept", "readonly", async (of) => (await answer(of.index("wallet").getAll(wallet))) as Kept[]);
}

/** The keys that were seen, the first one first, after the new ones among them are added. */
export function seenKeys(newOnes: (seen: SeenKey[]) => SeenKey[]): Promise<SeenKey[]> {
  return within("keys", "readwrite", async (of) => {
    const seen = (await answer(of.getAll())) as SeenKey[];
    const added = newOnes(seen);
    for (const key of added) of.add(key);
    return [...seen, ...added].sort((a, b) => a.first - b.first);
  });
}
