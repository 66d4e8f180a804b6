import type { ReactNode } from "react";
import { SharedPageAction } from "../link.tsx";
import { renderMarkup } from "./render-markup.ts";

/**
 * The rows of a table on the server, written as text where that is possible, because most of a list's elements are in its
 * rows. `hasForms`: forms of the rows without an action have the page's.
 */
export function MarkupBody({ hasForms, children }: { hasForms: boolean; children: ReactNode }) {
  const body = <Markup>{children}</Markup>;
  return hasForms ? <SharedPageAction>{body}</SharedPageAction> : body;
}

function Markup({ children }: { children: ReactNode }) {
  const markup = renderMarkup(children);
  if (markup === undefined) return <tbody>{children}</tbody>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the markup is what React renders, with its escapes.
  return <tbody dangerouslySetInnerHTML={{ __html: markup }} />;
}
