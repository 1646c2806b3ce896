// The first step: the server seed matches its commitment.

import type { Check, Inputs, Json } from "@casino-service/verify";
import { Fact } from "../shared/fact";
import { maybe, t } from "../shared/i18n";
import { Stage } from "./parts";
import { Shown } from "./shown-hash";

export function CommitmentStage({ inputs, check, source }: { inputs: Inputs; check: Check; source: Json | undefined }) {
  const said = JSON.parse(check.said) as string;
  return (
    <Stage title={t("step.commitment")} same={check.same} id="commitment">
      <p>{t("commitment.explain")}</p>
      <dl class="shown">
        <Fact name={t("seed.server")}><code>{inputs.serverSeed}</code></Fact>
        <Fact name={t("commitment.sha")}><code>{JSON.parse(check.is) as string}</code></Fact>
        <Fact name={t("claimed")}><code class={check.same ? "" : "loss"}>{said}</code></Fact>
      </dl>
      <Shown hash={said} />
      {typeof source === "string" && <p class="hint">{maybe(`proof.${source}`)}</p>}
    </Stage>
  );
}
