// One round, step by step: from the commitment to the payout.

import { committed, steps, stringify, trace, Unverifiable, type Check, type Commitment, type Json, type Trace } from "@casino-service/verify";
import { useMemo } from "preact/hooks";
import { Fact } from "../shared/fact";
import { maybe, t } from "../shared/i18n";
import { CommitmentStage } from "./commitment";
import { DrawsStage } from "./draws";
import { roundIn, type Item } from "./input";
import { Again, Mark, Stage } from "./parts";
import { Hidden } from "./hidden";

type RoundJson = { [name: string]: Json };
type Found = { traced: Trace; round: RoundJson } | { bound: Commitment; round: RoundJson } | { refused: Unverifiable };

function find(item: Item): Found {
  try {
    const round = roundIn(item);
    return round["serverSeed"] == null ? { bound: committed(round), round } : { traced: trace(round), round };
  } catch (error) {
    if (!(error instanceof Unverifiable)) throw error;
    return { refused: error };
  }
}

export function RoundView({ item }: { item: Item }) {
  const found = useMemo(() => find(item), [item]);
  return (
    <>
      <h1>{t("round.title")}</h1>
      {"traced" in found && <Traced {...found} />}
      {"bound" in found && <Hidden {...found} />}
      {"refused" in found && <Refused error={found.refused} />}
      <p class="row"><Again /></p>
    </>
  );
}

function Refused({ error }: { error: Unverifiable }) {
  return (
    <div class="verdict cant" role="status" data-verdict="cant">
      <strong>{t("verdict.cant")}</strong>
      <p>{maybe(`reason.${error.reason}`)}</p>
      <p><code>{error.message}</code></p>
    </div>
  );
}

function Traced({ traced, round }: { traced: Trace; round: RoundJson }) {
  const { verified, differences, inputs } = traced;
  const source = round["clientSeedSource"];
  const check = (name: Check["name"]): Check => traced.checks.find((each) => each.name === name)!;
  return (
    <>
      <div class={`verdict ${verified && !traced.void ? "good" : "bad"}`} role="status" data-verdict={verified ? (traced.void ? "void" : "verified") : "differs"}>
        <strong>{verified && !traced.void ? `✓ ${t("verdict.verified")}` : `✗ ${verified ? t("verdict.void") : t("verdict.differs")}`}</strong>
        {(source === "server" || source === "repeated") && <p data-unproven={source}>{t(`unproven.${source}`)}</p>}
        {!verified && <p>{t("verdict.which", { what: differences.map(({ name }) => maybe(`check.${name}`)).join(", ") })}</p>}
      </div>
      <dl class="shown about">
        <Fact name={t("column.game")}>{maybe(`game.${inputs.rules.split("/")[0]}`) ?? inputs.rules} <span class="tag">{inputs.rules}</span></Fact>
        {typeof round["id"] === "string" && <Fact name={t("round.id")}><code>{round["id"]}</code></Fact>}
      </dl>
      <ol class="proof">
        <CommitmentStage inputs={inputs} check={check("serverSeedHash")} source={round["clientSeedSource"]} />
        {traced.steps === null ? <Nothing traced={traced} /> : <DrawsStage steps={traced.steps} inputs={inputs} />}
        {traced.steps !== null && <OutcomeStage traced={traced} check={check("outcome")} />}
        <PayoutStage multiplier={check("multiplier")} wager={check("wager")} payout={check("payout")} />
      </ol>
    </>
  );
}

/** For a void round: the outcome that its seeds would have given, which its player may want to
 * ask about. */
function Nothing({ traced }: { traced: Trace }) {
  let instead: string | null = null;
  try {
    instead = steps(traced.inputs).multiplier.text;
  } catch (error) {
    if (!(error instanceof Unverifiable)) throw error;
  }
  return (
    <Stage title={t("step.draws")} id="draws">
      <p>{t("void.explain")}</p>
      {instead !== null && <p>{t("void.instead", { multiplier: instead })}</p>}
    </Stage>
  );
}

function OutcomeStage({ traced: { inputs }, check }: { traced: Trace; check: Check }) {
  return (
    <Stage title={t("step.outcome")} same={check.same} id="outcome">
      <p>{maybe(`rule.${inputs.rules.split("/")[0]}`)}</p>
      <dl class="shown">
        <Fact name={t("round.config")}><code>{stringify(inputs.config)}</code></Fact>
        {inputs.actions != null && <Fact name={t("round.actions")}><code>{stringify(inputs.actions)}</code></Fact>}
        <Sides check={check} />
      </dl>
    </Stage>
  );
}

/** The round's value beside the computed one. */
function Sides({ check }: { check: Check }) {
  return (
    <>
      <Fact name={t("decided")}><code>{check.is}</code></Fact>
      <Fact name={t("claimed")}><code class={check.same ? "" : "loss"}>{check.said}</code></Fact>
    </>
  );
}

function PayoutStage({ multiplier, wager, payout }: { multiplier: Check; wager: Check; payout: Check }) {
  return (
    <Stage title={t("step.payout")} same={multiplier.same && wager.same && payout.same} id="payout">
      <p>{t("payout.explain")}</p>
      {[multiplier, wager, payout].map((check) => (
        <section key={check.name} class="compared">
          <h3><span class="named">{maybe(`check.${check.name}`)}</span> <Mark same={check.same} /></h3>
          <dl class="shown">
            {check.name === "payout" && <Fact name={t("payout.sum")}><code>⌊{wager.said} · {multiplier.is}⌋ = {payout.is}</code></Fact>}
            <Sides check={check} />
          </dl>
        </section>
      ))}
    </Stage>
  );
}
