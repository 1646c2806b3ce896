// A game without a board in this page, such as an embedder's: a form made from its published
// schema, and its raw outcome. Step-by-step rounds offer their choices.

import { useState } from "preact/hooks";
import { t, times } from "../../shared/i18n";
import { Fact, Frame } from "../frame";
import { amount } from "../store";
import type { Table, Values } from "../table";
import { beginning, Fields, type Schema } from "./fields";
import { Shown } from "./shown";

export default function Form({ table }: { table: Table }) {
  const { game, open, last } = table;
  const stepped = game.configSchema === null;
  const schema = (stepped ? game.steps?.configSchema : game.configSchema) as Schema;
  const [config, setConfig] = useState<Values>(() => beginning(schema));
  const round = open.value;
  return (
    <Frame table={table} onBet={() => (stepped ? table.begin(config) : table.play(config))}
      controls={<Fields schema={schema} values={config} onChange={setConfig} locked={round !== null} />}
      {...(stepped && { actions: round?.choices.map((choice) => (
        <Step key={`${round.step}.${choice.action.type}`} choice={choice} table={table} />
      )) ?? [] })}>
      {round !== null && <Shown of={round.shown} />}
      {round === null && last.value?.outcome != null && <Shown of={last.value.outcome} />}
      {round === null && last.value === null && <p class="muted">{game.explanation}</p>}
    </Frame>
  );
}

type Offered = NonNullable<Table["open"]["value"]>["choices"][number];

function Step({ choice, table }: { choice: Offered; table: Table }) {
  const schema = choice.fields as Schema | undefined;
  const [values, setValues] = useState<Values>(() => (schema === undefined ? {} : beginning(schema)));
  return (
    <fieldset class="step">
      {schema !== undefined && <Fields schema={schema} values={values} onChange={setValues} />}
      <button type="button" aria-disabled={table.busy.value} onClick={() => void table.act({ ...values, ...choice.action, type: String(choice.action.type) })}>
        {choice.action.type}
        {choice.stake !== undefined && ` −${amount(choice.stake, table.open.value?.token ?? "")}`}
      </button>
      {choice.prize !== undefined && <Fact label={t("pays")}>{times(choice.prize)}</Fact>}
    </fieldset>
  );
}
