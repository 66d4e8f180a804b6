import { type ReactNode, useContext } from "react";
import { SharedPageAction } from "../link.tsx";
import { PageTextsContext } from "./page-texts.ts";
import { renderMarkup } from "./render-markup.ts";

/**
 * The rows of a table on the server, written as text where that is possible, because most of a list's elements are in its
 * rows. `hasForms`: forms of the rows without an action have the page's.
 */
export function MarkupBody({ hasForms, children }: { hasForms: boolean; children: ReactNode[] }) {
  const body = <Markup>{children}</Markup>;
  return hasForms ? <SharedPageAction>{body}</SharedPageAction> : body;
}

function Markup({ children }: { children: ReactNode[] }) {
  const pageTexts = useContext(PageTextsContext);
  const rows: string[] = [];
  for (const row of children) {
    const markup = renderMarkup(row);
    if (markup === undefined) return <tbody>{children}</tbody>;
    rows.push(markup);
  }
  const markup = pageTexts ? pageTexts.add(rows) : rows.join("");
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the markup is what React renders, with its escapes.
  return <tbody dangerouslySetInnerHTML={{ __html: markup }} />;
}
