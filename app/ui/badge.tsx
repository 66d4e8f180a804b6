import type { ReactNode } from "react";

/** The tones of the specification: green, yellow, red, blue, purple, grey. */
export type BadgeTone = "good" | "warn" | "bad" | "info" | "violet" | "neutral" | "accent";

/** A word of state. The dot repeats the tone; the word carries the meaning. */
export function Badge({
  tone = "neutral",
  dot = true,
  children,
}: {
  tone?: BadgeTone;
  dot?: boolean;
  children: ReactNode;
}) {
  return (
    <span className={`badge${dot ? " badge-dot" : ""}${tone === "neutral" ? "" : ` badge-${tone}`}`}>{children}</span>
  );
}

/** Small neutral words side by side, such as channels. */
export function Chips({ items }: { items: readonly string[] }) {
  return (
    <span className="chips">
      {items.map((item) => (
        <span className="chip" key={item}>
          {item}
        </span>
      ))}
    </span>
  );
}
