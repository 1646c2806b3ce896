// The second step: from both seeds and the nonce to numbers.

import type { Inputs, Step, Steps } from "@casino-service/verify";
import { Fact } from "../shared/fact";
import { t } from "../shared/i18n";
import { Stage } from "./parts";

const DIGITS = 8; // of a draw's four bytes

/** A block's digits: those of each draw separately, and the rest. */
function Digits({ hmac, drawn }: { hmac: string; drawn: number }) {
  const used = Array.from({ length: drawn }, (_, i) => hmac.slice(i * DIGITS, (i + 1) * DIGITS));
  return <code>{used.map((each, i) => <span key={i} class="drawn">{each}</span>)}<span class="muted">{hmac.slice(drawn * DIGITS)}</span></code>;
}

function made(step: Step): string {
  if (step.of === undefined) return t("draws.whole");
  return `⌊${step.draw} · ${step.of} / 2³²⌋ = ${step.pick}`;
}

export function DrawsStage({ steps, inputs }: { steps: Steps; inputs: Inputs }) {
  return (
    <Stage title={t("step.draws")} id="draws">
      <p>{t("draws.explain")}</p>
      <dl class="shown">
        <Fact name={t("seed.client")}><code>{inputs.clientSeed}</code></Fact>
        <Fact name={t("seed.nonce")}><code>{String(inputs.nonce)}</code></Fact>
      </dl>
      {steps.blocks.map((block, cursor) => {
        const drawn = steps.draws.filter((step) => step.cursor === cursor);
        const title = t("draws.block", { number: cursor });
        return (
          <section key={cursor} class="compared">
            <h3>{title}</h3>
            <dl class="shown">
              <Fact name={t("draws.message")}><code>{block.message}</code></Fact>
              <Fact name="HMAC-SHA256"><Digits hmac={block.hmac} drawn={drawn.length} /></Fact>
            </dl>
            <div class="scroll" tabIndex={0} role="region" aria-label={title}>
              <table>
                <thead><tr><th scope="col" class="number">{t("draws.number")}</th><th scope="col">{t("draws.bytes")}</th><th scope="col" class="number">{t("draws.k")}</th><th scope="col">{t("draws.pick")}</th><th scope="col">{t("draws.gives")}</th></tr></thead>
                <tbody>
                  {drawn.map((step, i) => (
                    <tr key={i}>
                      <td class="number">{cursor * 8 + i}</td>
                      <td><code>{step.bytes}</code></td>
                      <td class="number">{String(step.draw)}</td>
                      <td>{made(step)}</td>
                      <td><strong>{step.gives ?? String(step.pick ?? step.draw)}</strong></td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </section>
        );
      })}
    </Stage>
  );
}
