// Name, logo and colour of all pages.

import { useId, useState } from "preact/hooks";
import { api, type Schemas } from "../../shared/api";
import { branding } from "../../shared/branding";
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
  const ids = [useId(), useId(), useId()] as const;
  const [title, setTitle] = useState(now.title);
  const [logoUrl, setLogo] = useState(now.logoUrl);
  const [accentColor, setColor] = useState(now.accentColor);
  const change = { ...(title !== now.title && { title }), ...(logoUrl !== now.logoUrl && { logoUrl }), ...(accentColor !== now.accentColor && { accentColor }) };
  const save = () => ask({
    title: t("branding.change"), act: t("save"),
    children: <><p>{t("branding.happens")}</p><p>{Object.entries(change).map(([name, value]) => <span key={name}>{name}: <code>{value}</code><br /></span>)}</p></>,
    run: async () => {
      branding.value = await api.patch("/admin/whitelabel", { body: change });
      return t("branding.saved");
    },
  });
  return (
    <form class="panel" id="branding" onSubmit={(e) => { e.preventDefault(); save(); }}>
      <div class="field"><label for={ids[0]}>{t("branding.title")}</label><input id={ids[0]} required maxLength={80} value={title} onInput={(e) => setTitle(e.currentTarget.value)} /></div>
      <div class="field"><label for={ids[1]}>{t("branding.logo")}</label><input id={ids[1]} type="url" value={logoUrl} onInput={(e) => setLogo(e.currentTarget.value)} /></div>
      <div class="field"><label for={ids[2]}>{t("branding.color")}</label><input id={ids[2]} type="color" value={accentColor} onInput={(e) => setColor(e.currentTarget.value)} /></div>
      <button type="submit" class="primary" disabled={Object.keys(change).length === 0}>{t("save")}</button>
    </form>
  );
}
