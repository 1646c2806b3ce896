import { branding, logo } from "./branding";

/** The operator's name and logo, linked to the player's page. */
export function Brand({ href }: { href: string }) {
  const picture = logo();
  return (
    <a class="brand" href={href}>
      {picture !== null ? <img src={picture} alt="" height={32} /> : <span class="mark" aria-hidden="true">◆</span>}
      <span>{branding.value.title}</span>
    </a>
  );
}
