// The seeds behind the next round in plain words, their rotation, and the pairs that were revealed.

import { useId, useState } from "preact/hooks";
import { newClientSeed } from "@casino-service/client";
import { api, type Schemas } from "../../shared/api";
import { maybe, t } from "../../shared/i18n";
import { complain, say } from "../../shared/notices";
import { verifyLink } from "../../shared/verify-link";
import { pair } from "../pair";
import { Seals } from "../seal";
import { savePair, verifyPair } from "./pair-rounds";
import { Long, Pager } from "./parts";
import { Private, useRead } from "./private";

export default function Fairness() {
  return (
    <Private title={t("nav.fairness")}>
      <p class="muted">{t("fairness.explain")} <a href={verifyLink()} target="_blank" rel="noopener">{t("verify.title")}</a></p>
      <Seeds />
    </Private>
  );
}

function Seeds() {
  const [page, setPage] = useState(1);
  const [seed, again] = useRead(() => api.get("/seed"));
  const [history, readHistory] = useRead(() => api.get("/seed/history", { query: { limit: 20, page } }), page);
  if (seed === null || history === null) return <p key="loading" class="loading" role="status">{t("loading")}</p>;
  return (
    <>
      <section class="panel">
        <h2>{t("fairness.active")}</h2>
        <Current seed={seed} />
        <Rotate seed={seed} done={() => { again(); readHistory(); }} />
      </section>
      <h2>{t("fairness.revealed")}</h2>
      {history.seeds.length === 0 && <p class="panel muted">{t("fairness.none")}</p>}
      <ul class="entries" aria-label={t("fairness.revealed")}>{history.seeds.map((each) => <Revealed key={each.id} of={each} />)}</ul>
      <Pager page={page} more={history.nextCursor != null} go={setPage} />
      <Seals />
    </>
  );
}

function Current({ seed }: { seed: Schemas["Seed"] }) {
  const facts = [[t("seed.hash"), seed.serverSeedHash], [t("seed.client"), seed.clientSeed], [t("seed.next"), seed.nextServerSeedHash]] as const;
  return (
    <div id="seed">
      <p>{t(`pair.words.${seed.clientSeedSource}`)} {t("pair.words.rounds", { count: String(seed.nonce) })}</p>
      <details class="filters">
        <summary>{t("pair.values")}</summary>
        <dl class="shown">
          {facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd><Long text={value} label={name} /></dd></div>)}
          <div><dt>{t("seed.nonce")}</dt><dd>{String(seed.nonce)}</dd></div>
        </dl>
      </details>
    </div>
  );
}

function Rotate({ seed, done }: { seed: Schemas["Seed"]; done: () => void }) {
  const id = useId();
  const [random, setRandom] = useState(newClientSeed); // the same until a rotation is done, so that a repeated one is the same request
  const [chosen, setChosen] = useState(random);
  const rotate = () => {
    pair.forget();
    const body = { clientSeed: chosen === "" ? random : chosen, expectedServerSeedHash: seed.serverSeedHash };
    api.post("/seed/rotate", { once: true, body }).then(() => {
      const next = newClientSeed();
      setRandom(next);
      setChosen(next);
      say(t("fairness.rotated"), "good");
      done();
    }, complain);
  };
  return (
    <form id="rotate" onSubmit={(e) => { e.preventDefault(); rotate(); }}>
      <div class="row">
        <div class="field">
          <label for={id}>{t("fairness.choose")}</label>
          <input id={id} maxLength={64} autoComplete="off" spellcheck={false} placeholder={t("fairness.random")} value={chosen}
            onFocus={(e) => e.currentTarget.select()} onInput={(e) => setChosen(e.currentTarget.value)} />
        </div>
        <button type="submit" class="primary">{t("fairness.rotate")}</button>
      </div>
      <small class="muted">{t("fairness.replace")}</small>
    </form>
  );
}

function Revealed({ of }: { of: Schemas["RevealedSeed"] }) {
  return (
    <li class="entry" data-pair={of.serverSeedHash}>
      <span><strong>{t("pairs.rounds", { rounds: String(of.rounds) })}</strong><br /><small>{maybe(`source.${of.clientSeedSource}`)}</small></span>
      <div class="row">
        <dl class="shown">
          <div><dt>{t("seed.server")}</dt><dd><code>{of.serverSeed}</code></dd></div>
          <div><dt>{t("seed.client")}</dt><dd><code>{of.clientSeed}</code></dd></div>
        </dl>
        {BigInt(of.rounds) > 0n && (
          <span class="row">
            <button type="button" class="verify primary" onClick={() => verifyPair(of)}>{t("pair.verify")}</button>
            <button type="button" class="save" onClick={() => savePair(of).catch(complain)}>{t("pair.save")}</button>
          </span>
        )}
      </div>
    </li>
  );
}
