// Reports: a kind of those that the service offers, run for a period, as a table and as CSV.

import type { paths } from "@casino-service/client";
import { useState } from "preact/hooks";
import { api, type Schemas } from "../../shared/api";
import { allowed, AmountInput } from "../../shared/amount-input";
import { useBusy } from "../../shared/busy";
import { Input, Select } from "../../shared/fields";
import { say } from "../../shared/notices";
import { save } from "../../shared/save";
import { bound, may, type Permission } from "../me";
import { Address, When } from "../parts";
import { useRead } from "../read";
import { amount, symbol, terms } from "../store";
import { Table } from "../table";
import { t, type Text } from "../text";
import { tokenOptions } from "../token";

type Kind = Schemas["ReportKind"];
type Report = Schemas["Report"];
type Asked = NonNullable<paths["/admin/reports/{kind}"]["post"]["requestBody"]>["content"]["application/json"];
type By = "day" | "month" | "year";

const named = (of: string): string => t(`reports.${of}` as Text);
const day = (at: Date): string => at.toISOString().slice(0, 10);

/** The first day of a period that lasts until today, UTC. */
function since(by: By): string {
  const today = day(new Date());
  return { day: today, month: `${today.slice(0, 7)}-01`, year: `${today.slice(0, 4)}-01-01` }[by];
}

/** A cell as its column's type is read. */
function shown(report: Report, row: readonly string[], at: number) {
  const column = report.columns[at], text = row[at] ?? "";
  switch (column?.type) {
    case "amount": {
      const mint = row[report.columns.findIndex((each) => each.name === "token")] ?? "";
      return mint === "" ? text : amount(BigInt(text), mint);
    }
    case "time": return <When at={Date.parse(text)} />;
    default:
      if (column?.name === "token") return text === "" ? t("filter.all") : symbol(text);
      return column?.name === "player" && text !== "" ? <Address of={text} /> : <span class="long">{text}</span>;
  }
}

function Result({ report }: { report: Report }) {
  const columns = report.columns.map((column, at) => ({ column, at })).filter(({ column }) => column.name !== "decimals");
  return (
    <Table title={named(`kind.${report.kind}`)} rows={report.rows} id={(row: readonly string[]) => row.join(" ")} empty={t("reports.none")} columns={columns.map(({ column, at }) => ({
      head: named(`column.${column.name}`), number: column.type === "amount" || column.type === "count", cell: (row: readonly string[]) => shown(report, row, at),
    }))} />
  );
}

function Run({ kinds }: { kinds: Kind[] }) {
  const [name, setName] = useState(kinds[0]?.kind ?? "");
  const [by, setBy] = useState<By>("day");
  const [from, setFrom] = useState(since("month"));
  const [to, setTo] = useState(since("day"));
  const [at, setAt] = useState("");
  const [token, setToken] = useState("");
  const [agentCode, setAgent] = useState("");
  const [wallet, setWallet] = useState("");
  const [least, setLeast] = useState("");
  const [report, setReport] = useState<Report | null>(null);
  const [busy, run] = useBusy();
  const kind = kinds.find((each) => each.kind === name);
  const takes = (what: string): boolean => kind?.parameters.includes(what) ?? false;
  const needs = (what: string): boolean => kind?.required.includes(what) ?? false;
  const decimals = terms(token)?.decimals ?? 0;
  const body = (): Asked | null => {
    const atLeast = takes("atLeast") ? allowed(least, decimals, {}) : null;
    if (takes("atLeast") && atLeast === null) {
      say(t("amount.wrong"), "bad");
      return null;
    }
    return {
      ...(takes("by") && { by }), ...(takes("from") && { from, to }), ...(takes("at") && at !== "" && { at: Date.parse(`${at}Z`) }),
      ...(takes("token") && token !== "" && { token }), ...(takes("agentCode") && !bound() && agentCode !== "" && { agentCode }),
      ...(takes("wallet") && wallet !== "" && { wallet }), ...(atLeast !== null && { atLeast }),
    };
  };
  const path = { kind: name };
  const show = () => run(async () => {
    const asked = body();
    if (asked !== null) setReport(await api.post("/admin/reports/{kind}", { path, body: asked }));
  });
  const download = () => run(async () => {
    const asked = body();
    if (asked !== null) save(`${name}.csv`, await api.postSheet("/admin/reports/{kind}", { path, body: asked }));
  });
  return (
    <>
      <form class="panel row" id="report" onSubmit={(e) => { e.preventDefault(); show(); }}>
        <Select label={t("reports.kind")} value={name} options={kinds.map((each) => [each.kind, named(`kind.${each.kind}`)] as const)} onChange={(chosen) => { setName(chosen); setReport(null); }} />
        {takes("by") && <Select label={t("reports.by")} value={by} options={(["day", "month", "year"] as const).map((each) => [each, named(`by.${each}`)] as const)} onChange={setBy} />}
        {takes("from") && <Input label={t("filter.from")} type="date" class="from" required value={from} onInput={(e) => setFrom(e.currentTarget.value)} />}
        {takes("to") && <Input label={t("filter.to")} type="date" class="to" required value={to} onInput={(e) => setTo(e.currentTarget.value)} />}
        {takes("at") && !bound() && <Input label={t("reports.at")} type="datetime-local" class="at" value={at} onInput={(e) => setAt(e.currentTarget.value)} />}
        {takes("token") && <Select label={t("token")} value={token} options={tokenOptions()} nothing={needs("token") ? t("reports.choose") : t("filter.all")} onChange={setToken} />}
        {takes("agentCode") && !bound() && <Input label={t("column.agent")} class="agent" value={agentCode} onInput={(e) => setAgent(e.currentTarget.value.trim())} />}
        {takes("wallet") && <Input label={t("column.wallet")} class="wallet" spellcheck={false} value={wallet} onInput={(e) => setWallet(e.currentTarget.value.trim())} />}
        {takes("atLeast") && <AmountInput class="least" required hint={null} label={t("reports.atLeast")} symbol={token === "" ? "" : symbol(token)} decimals={decimals} value={least} onInput={setLeast} />}
        <div class="row">
          <button type="submit" disabled={busy}>{t("reports.run")}</button>
          <button type="button" class="sheet" disabled={busy} onClick={download}>{t("sheet")}</button>
          {takes("from") && (["month", "year"] as const).map((each) => (
            <button type="button" key={each} class={`ghost since-${each}`} onClick={() => { setFrom(since(each)); setTo(since("day")); }}>{named(`since.${each}`)}</button>
          ))}
        </div>
      </form>
      {report !== null && report.kind === name && (
        <section id="result">
          <p class="muted">{t(report.closed ? "reports.closed" : "reports.open")} {t("reports.hash")} <code class="long">{report.sha256}</code></p>
          <Result report={report} />
        </section>
      )}
    </>
  );
}

export default function Reports() {
  const [found, failure] = useRead(() => api.get("/admin/reports"), "");
  return (
    <>
      <h1>{t("nav.reports")}</h1>
      <p class="muted">{t("reports.explain")}</p>
      {found === null ? failure !== null && <p class="refused" role="alert">{t("reports.unread")}</p> : <Run kinds={found.reports.filter((each) => may(each.permission as Permission))} />}
    </>
  );
}
