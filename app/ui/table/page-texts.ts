import { createContext } from "react";
import type { ShownRow } from "./shown-row.ts";

/**
 * Texts of a page for which React writes a mark in their place, because they are most of a list: without them the text
 * that React renders is short enough to be searched and cut without a copy of 240 KB. The mark is a comment with the
 * page's nonce, which nothing in the page can know.
 */
export class PageTexts {
  readonly #nonce: string;
  readonly #texts: (readonly string[])[] = [];
  readonly #selectable: ShownRow[] = [];

  constructor(nonce: string) {
    this.#nonce = nonce;
  }

  /** Returns the mark that stands for the texts, one after another. */
  add(texts: readonly string[]): string {
    this.#texts.push(texts);
    return this.#mark(this.#texts.length - 1);
  }

  /** Notes the rows of a table that each have a checkbox. */
  addSelectable(rows: readonly ShownRow[]): void {
    this.#selectable.push(...rows);
  }

  /** The rows with a checkbox, of all tables, in the order of the page. */
  get selectable(): readonly ShownRow[] {
    return this.#selectable;
  }

  /** Returns what React rendered in parts, with the texts in place of their marks. */
  fill(rendered: string): string[] {
    const parts: string[] = [];
    let from = 0;
    for (const [index, texts] of this.#texts.entries()) {
      const mark = this.#mark(index);
      const at = rendered.indexOf(mark, from);
      if (at < 0) continue;
      parts.push(rendered.slice(from, at), ...texts);
      from = at + mark.length;
    }
    return [...parts, rendered.slice(from)];
  }

  #mark(index: number): string {
    return `<!--${this.#nonce}:${index}-->`;
  }
}

/** The texts of the page that is rendered; without them markup is written in its place. */
export const PageTextsContext = createContext<PageTexts | undefined>(undefined);
