import type { ReactNode } from "react";

/** The badge colors: green, yellow, red, blue, purple, gray. */
export type BadgeTone = "good" | "warn" | "bad" | "info" | "violet" | "neutral" | "accent";

/** A status label. The dot repeats the color; the text carries the meaning. */
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

/** Short neutral labels side by side, such as channels. Those beyond `max` are a count whose tooltip names them. */
export function Chips({ items, max = items.length }: { items: readonly string[]; max?: number }) {
  const others = items.slice(max).join(", ");
  return (
    <span className="chips">
      {items.slice(0, max).map((item) => (
        <span className="chip" key={item}>
          {item}
        </span>
      ))}
      {others ? (
        <span className="chip" title={others}>
          <span aria-hidden>+{items.length - max}</span>
          <span className="sr-only">{others}</span>
        </span>
      ) : null}
    </span>
  );
}
