// The paying hands, with the current one marked.

import { maybe } from "../../shared/i18n";
import "./hands.css";

export interface Hand { name: string; pays: number }

interface Props { hands: Hand[]; hit: string | undefined; pays: (multiplier: number) => string }

export function Hands({ hands, hit, pays }: Props) {
  return (
    <ul class="hands">
      {hands.map((each) => (
        <li key={each.name} class={each.name === hit ? "hit" : ""}>
          <span>{maybe(`hand.${each.name}`) ?? each.name}</span>
          <strong>{pays(each.pays)}</strong>
        </li>
      ))}
    </ul>
  );
}
