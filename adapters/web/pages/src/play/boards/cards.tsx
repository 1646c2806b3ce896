// Playing cards in the service's notation: rank and suit, such as 10h. New ones are dealt one by one.

import { useEffect, useRef } from "preact/hooks";
import "./cards.css";

const SUITS: Record<string, string> = { d: "♦", h: "♥", s: "♠", c: "♣" };

/** Milliseconds between two cards, and until the last one lies. */
export const DEAL_MS = 180;

export function Card({ card, lit, place }: { card: string | null; lit?: boolean; place?: number }) {
  if (card === null) return <span class="card back" aria-hidden="true" />;
  const suit = card.slice(-1);
  const rank = card.slice(0, -1);
  return (
    <span class={`card ${suit === "d" || suit === "h" ? "red" : ""} ${lit === true ? "lit" : ""}`} style={{ "--place": `${place ?? 0}` }} role="img" aria-label={`${rank} ${SUITS[suit] ?? suit}`}>
      <b>{rank}</b>
      <i>{SUITS[suit] ?? suit}</i>
    </span>
  );
}

interface Props {
  cards: string[];
  label: string;
  backs?: number;
  id?: string;
  /** When a card is dealt, counted in cards; one after the other if it is left out. */
  order?: (place: number) => number;
}

export function Cards({ cards, label, backs = 0, id = "", order = (place) => place }: Props) {
  const lie = useRef({ id, count: 0 });
  const before = lie.current.id === id ? lie.current.count : 0;
  useEffect(() => void (lie.current = { id, count: cards.length }));
  return (
    <div class="hand" role="group" aria-label={label}>
      {cards.map((card, i) => <Card key={`${id}.${i}.${card}`} card={card} place={Math.max(0, order(i) - order(Math.min(before, i)))} />)}
      {Array.from({ length: backs }, (_, i) => <Card key={`back${i}`} card={null} />)}
    </div>
  );
}

/** The points of a blackjack hand. */
export function total(cards: string[]): number {
  let sum = 0;
  let aces = 0;
  for (const card of cards) {
    const rank = card.slice(0, -1);
    if (rank === "A") aces++;
    sum += rank === "A" ? 11 : "JQK".includes(rank) ? 10 : Number(rank);
  }
  for (; sum > 21 && aces > 0; aces--) sum -= 10;
  return sum;
}
