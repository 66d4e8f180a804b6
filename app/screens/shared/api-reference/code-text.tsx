import type { ReactNode } from "react";

/** A text in which backquotes enclose names. */
export function CodeText({ text }: { text: string }): ReactNode {
  return text.split("`").map((part, index) => {
    const key = `${index} ${part}`;
    return index % 2 === 1 ? <code key={key}>{part}</code> : part;
  });
}
