// The seeds behind the next round, their rotation, and the pairs that were revealed.

import { useId, useState } from "preact/hooks";
import { newClientSeed } from "@casino-service/client";
import { api } from "../../shared/api";
import { maybe, t } from "../../shared/i18n";
import { complain, say } from "../../shared/notices";
import { verifyLink } from "../../shared/verify-link";
import { pair } from "../pair";
import { savePair, verifyPair } from "./pair-rounds";
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
  const id = useId();
  const [seed, again] = useRead(() => api.get("/seed"));
  const [history, readHistory] = useRead(() => api.get("/seed/history", { query: { limit: 20 } }));
  const [chosen, setChosen] = useState("");
  const [random, setRandom] = useState(newClientSeed); // the same until a rotation is done, so that a repeated one is the same request
  const rotate = () => {
    pair.forget();
    const body = { clientSeed: chosen === "" ? random : chosen, ...(seed !== null && { expectedServerSeedHash: seed.serverSeedHash }) };
    api.post("/seed/rotate", { once: true, body }).then(() => {
      setChosen("");
      setRandom(newClientSeed());
      say(t("fairness.rotated"), "good");
      again();
      readHistory();
    }, complain);
  };
  return (
    <>
      <section class="panel">
        <h2>{t("fairness.active")}</h2>
        {seed !== null && (
          <dl class="shown" id="seed">
            <div><dt>{t("seed.hash")}</dt><dd><code>{seed.serverSeedHash}</code></dd></div>
            <div><dt>{t("seed.client")}</dt><dd><code>{seed.clientSeed}</code> <span class="tag">{maybe(`source.${seed.clientSeedSource}`)}</span></dd></div>
            <div><dt>{t("seed.nonce")}</dt><dd>{String(seed.nonce)}</dd></div>
            <div><dt>{t("seed.next")}</dt><dd><code>{seed.nextServerSeedHash}</code></dd></div>
          </dl>
        )}
        <form class="row" id="rotate" onSubmit={(e) => { e.preventDefault(); rotate(); }}>
          <div class="field">
            <label for={id}>{t("fairness.choose")}</label>
            <input id={id} maxLength={64} autoComplete="off" placeholder={t("fairness.random")} value={chosen} onInput={(e) => setChosen(e.currentTarget.value)} />
          </div>
          <button type="submit" class="primary">{t("fairness.rotate")}</button>
        </form>
      </section>
      <h2>{t("fairness.revealed")}</h2>
      <div class="panel scroll" tabIndex={0} role="region" aria-label={t("fairness.revealed")}>
        <table>
          <thead><tr><th scope="col">{t("seed.server")}</th><th scope="col">{t("seed.client")}</th><th scope="col" class="number">{t("fairness.rounds")}</th><th scope="col"><span class="hidden">{t("pair.choices")}</span></th></tr></thead>
          <tbody>
            {history?.seeds.length === 0 && <tr><td colSpan={4} class="muted">{t("fairness.none")}</td></tr>}
            {history?.seeds.map((each) => (
              <tr key={each.id} data-pair={each.serverSeedHash}>
                <td class="wrap"><code>{each.serverSeed}</code></td>
                <td class="wrap"><code>{each.clientSeed}</code></td>
                <td class="number">{String(each.rounds)}</td>
                <td>
                  {BigInt(each.rounds) > 0n && (
                    <>
                      <button type="button" class="verify" onClick={() => verifyPair(each)}>{t("pair.verify")}</button>{" "}
                      <button type="button" class="save" onClick={() => savePair(each).catch(complain)}>{t("pair.save")}</button>
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
