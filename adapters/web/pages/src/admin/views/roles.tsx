// All roles. An admin with roles:write grants and revokes roles below their own level.

import { useState } from "preact/hooks";
import { api, type Schemas } from "../../shared/api";
import { Input, Select } from "../../shared/fields";
import { ask } from "../confirm";
import { may, me } from "../me";
import { Address, When } from "../parts";
import { useRead } from "../read";
import { Sheet } from "../sheet";
import { Table } from "../table";
import { t, type Text } from "../text";

type Role = Schemas["Role"];
type Name = Schemas["RoleName"];

const NAMES: readonly Name[] = ["admin", "finance", "ops", "support", "readonly", "operator"];

function revoke(role: Role): void {
  ask({
    title: t("roles.revoke"), act: t("roles.revoke.act"), danger: true,
    children: <><p>{t("roles.revoke.happens", { role: role.role })}</p><p><code>{role.wallet}</code></p></>,
    run: () => api.delete("/admin/roles/{wallet}", { path: { wallet: role.wallet } }),
    done: t("roles.revoked"),
  });
}

export default function Roles() {
  const [found, failure] = useRead(() => api.get("/admin/roles"));
  const level = Number(me.value?.level ?? 0);
  return (
    <>
      <h1>{t("nav.roles")}</h1>
      {may("roles:write") && <Grant />}
      <Table title={t("nav.roles")} rows={found?.roles ?? null} id={(each) => each.wallet} empty={t("roles.none")} failure={failure} columns={[
        { head: t("column.wallet"), cell: (each) => <code>{each.wallet}</code> },
        { head: t("role"), cell: (each) => <strong>{each.role}</strong> },
        { head: t("column.agent"), cell: (each) => each.agentCode ?? "" },
        { head: t("roles.granted"), cell: (each) => (each.founding ? t("roles.founding") : each.grantedBy === null ? t("roles.command") : <Address of={each.grantedBy} />) },
        { head: t("column.since"), cell: (each) => <When at={each.grantedAt} /> },
        { head: t("column.acts"), cell: (each) => (may("roles:write") && Number(each.level) > level ? <button type="button" class="revoke" onClick={() => revoke(each)}>{t("roles.revoke.act")}</button> : "") },
      ]} />
      <p class="row"><Sheet name="roles" read={() => api.sheet("/admin/roles")} /></p>
    </>
  );
}

function Grant() {
  const [wallet, setWallet] = useState("");
  const [role, setRole] = useState<Name>("support");
  const [agentCode, setAgent] = useState("");
  const grant = () => ask({
    title: t("roles.grant"), act: t("roles.grant.act"),
    children: <><p>{t("roles.grant.happens", { role })}</p><p><code>{wallet}</code></p><p class="muted">{t(`roles.${role}` as Text)}</p></>,
    run: async () => {
      await api.put("/admin/roles/{wallet}", { path: { wallet }, body: { role, ...(role === "operator" && { agentCode }) } });
      setWallet("");
    },
    done: t("roles.given"),
  });
  return (
    <form class="panel" id="grant" onSubmit={(e) => { e.preventDefault(); grant(); }}>
      <h2>{t("roles.grant")}</h2>
      <div class="row">
        <Input label={t("column.wallet")} required spellcheck={false} value={wallet} onInput={(e) => setWallet(e.currentTarget.value.trim())} />
        <Select label={t("role")} value={role} options={NAMES.map((each) => [each, each])} onChange={setRole} />
        {role === "operator" && <Input label={t("column.agent")} required value={agentCode} onInput={(e) => setAgent(e.currentTarget.value.trim())} />}
        <div class="field"><button type="submit" class="primary">{t("roles.grant.act")}</button></div>
      </div>
      <p class="muted">{t(`roles.${role}` as Text)} {t("roles.age")}</p>
    </form>
  );
}
