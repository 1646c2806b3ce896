// A round with an unrevealed server seed: what can be checked now, and when the rest can.

import type { Commitment, Json } from "@casino-service/verify";
import { useState } from "preact/hooks";
import { served } from "../shared/config";
import { Input } from "../shared/fields";
import { Fact } from "../shared/fact";
import { t } from "../shared/i18n";
import { Shown } from "./shown-hash";
import { show } from "./store";

export function Hidden({ bound, round }: { bound: Commitment; round: { [name: string]: Json } }) {
  const [seed, setSeed] = useState("");
  return (
    <>
      <div class="verdict cant" role="status" data-verdict="hidden">
        <strong>{t("verdict.hidden")}</strong>
        <p>{t("hidden.when")} <a href={`${served.path}/#/fairness`}>{t("hidden.rotate")}</a></p>
      </div>
      <section class="panel">
        <h2>{t("hidden.now")}</h2>
        <p>{t("hidden.explain")}</p>
        <dl class="shown">
          <Fact name={t("seed.hash")}><code>{bound.serverSeedHash}</code></Fact>
          <Fact name={t("seed.client")}><code>{bound.clientSeed}</code></Fact>
          <Fact name={t("seed.nonce")}><code>{String(bound.nonce)}</code></Fact>
          <Fact name={t("draws.message")}><code>{bound.message}</code></Fact>
        </dl>
        <Shown hash={bound.serverSeedHash} />
      </section>
      <form class="panel" id="reveal" onSubmit={(e) => { e.preventDefault(); show({ ...round, serverSeed: seed.trim() }); }}>
        <Input label={t("hidden.seed")} class="hash" spellcheck={false} required value={seed} onInput={(e) => setSeed(e.currentTarget.value)} />
        <button type="submit" class="primary">{t("verify.go")}</button>
      </form>
    </>
  );
}
