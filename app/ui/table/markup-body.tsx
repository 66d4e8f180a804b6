import { type ReactNode, useContext } from "react";
import { SharedPageAction } from "../link.tsx";
import { PageTextsContext } from "./page-texts.ts";
import { renderMarkup } from "./render-markup.ts";
import type { ShownRow } from "./shown-row.ts";

/**
 * The rows of a table on the server, written as text where that is possible, because most of a list's elements are in
 * its rows. `hasForms`: forms of the rows without an action have the page's. `selectable`: the rows, if each has a
 * checkbox.
 */
export function MarkupBody({
  hasForms,
  selectable,
  children,
}: {
  hasForms: boolean;
  selectable: readonly ShownRow[] | undefined;
  children: ReactNode[];
}) {
  const body = <Markup selectable={selectable}>{children}</Markup>;
  return hasForms ? <SharedPageAction>{body}</SharedPageAction> : body;
}

function Markup({ selectable, children }: { selectable: readonly ShownRow[] | undefined; children: ReactNode[] }) {
  const pageTexts = useContext(PageTextsContext);
  if (selectable) pageTexts?.addSelectable(selectable);
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
