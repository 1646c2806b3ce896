// Name, logo and colour of all pages.

import { useState } from "preact/hooks";
import { api, type Schemas } from "../../shared/api";
import { branding } from "../../shared/branding";
import { Input } from "../../shared/fields";
import { ask } from "../confirm";
import { useRead } from "../read";
import { Loading } from "../parts";
import { t } from "../text";

type Set = Schemas["Branding"];

export default function Branding() {
  const [found, failure] = useRead(() => api.get("/public/whitelabel"));
  return (
    <>
      <h1>{t("nav.branding")}</h1>
      {found === null ? <Loading failure={failure} /> : <Change now={found} key={JSON.stringify(found)} />}
    </>
  );
}

function Change({ now }: { now: Set }) {
  const [title, setTitle] = useState(now.title);
  const [logoUrl, setLogo] = useState(now.logoUrl);
  const [accentColor, setColor] = useState(now.accentColor);
  const change = { ...(title !== now.title && { title }), ...(logoUrl !== now.logoUrl && { logoUrl }), ...(accentColor !== now.accentColor && { accentColor }) };
  const save = () => ask({
    title: t("branding.change"), act: t("save"),
    children: <><p>{t("branding.happens")}</p><p>{Object.entries(change).map(([name, value]) => <span key={name}>{name}: <code>{value}</code><br /></span>)}</p></>,
    run: async () => void (branding.value = await api.patch("/admin/whitelabel", { body: change })),
    done: t("branding.saved"),
  });
  return (
    <form class="panel" id="branding" onSubmit={(e) => { e.preventDefault(); save(); }}>
      <Input label={t("branding.title")} required maxLength={80} value={title} onInput={(e) => setTitle(e.currentTarget.value)} />
      <Input label={t("branding.logo")} type="url" value={logoUrl} onInput={(e) => setLogo(e.currentTarget.value)} />
      <Input label={t("branding.color")} type="color" value={accentColor} onInput={(e) => setColor(e.currentTarget.value)} />
      <button type="submit" class="primary" disabled={Object.keys(change).length === 0}>{t("save")}</button>
    </form>
  );
}
