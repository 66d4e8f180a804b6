import type { HTMLAttributes, ReactNode } from "react";
import { renderMarkup } from "./table/render-markup.ts";

type TextElementProps = HTMLAttributes<HTMLElement> & { as: "aside" | "header"; children: ReactNode };

/**
 * An element whose children the server writes as text, if render-markup.ts knows all that is in them. In the browser
 * they are elements, so hydration is unchanged. `useId` is not supported inside.
 */
export const TextElement = import.meta.env.SSR ? ServerElement : BrowserElement;

function ServerElement({ as: Tag, children, ...rest }: TextElementProps) {
  const markup = renderMarkup(children);
  if (markup === undefined) return <Tag {...rest}>{children}</Tag>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the markup is what React renders, with its escapes.
  return <Tag {...rest} dangerouslySetInnerHTML={{ __html: markup }} />;
}

function BrowserElement({ as: Tag, ...rest }: TextElementProps) {
  return <Tag {...rest} />;
}
