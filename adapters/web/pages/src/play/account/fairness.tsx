// The seeds behind the next round in plain words, their rotation, and the pairs that were revealed.

import { useState } from "preact/hooks";
import { api, type Schemas } from "../../shared/api";
import { Copied } from "../../shared/copied";
import { Fact } from "../../shared/fact";
import { Input } from "../../shared/fields";
import { maybe, t } from "../../shared/i18n";
import { complain } from "../../shared/notices";
import { verifyLink } from "../../shared/verify-link";
import { useRotation } from "../pair";
import { Seals } from "../seal";
import { savePair, verifyPair } from "./pair-rounds";
import { Pager } from "./parts";
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
          {facts.map(([name, value]) => <Fact key={name} name={name}><Copied text={value} label={name} /></Fact>)}
          <Fact name={t("seed.nonce")}>{String(seed.nonce)}</Fact>
        </dl>
      </details>
    </div>
  );
}

function Rotate({ seed, done }: { seed: Schemas["Seed"]; done: () => void }) {
  const [own, setOwn] = useState<string | null>(null); // the random one until it is changed
  const [random, rotate] = useRotation(() => { setOwn(null); done(); });
  const go = () => rotate(own === null || own === "" ? random : own, seed.serverSeedHash);
  return (
    <form id="rotate" onSubmit={(e) => { e.preventDefault(); go(); }}>
      <div class="row">
        <Input label={t("fairness.choose")} maxLength={64} spellcheck={false} placeholder={t("fairness.random")} value={own ?? random}
          onFocus={(e) => e.currentTarget.select()} onInput={(e) => setOwn(e.currentTarget.value)} />
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
          <Fact name={t("seed.server")}><code>{of.serverSeed}</code></Fact>
          <Fact name={t("seed.client")}><code>{of.clientSeed}</code></Fact>
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
