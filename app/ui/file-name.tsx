import { Fragment } from "react";

/** In characters: a longer name is cut. */
const maxLength = 90;
/** What stays of its end, with the extension. */
const endLength = 24;

/**
 * The name of a file as a title. It breaks after hyphens and underscores instead of within a word. A very long name is
 * cut in its middle, so that it keeps its ending; the whole is its tooltip.
 */
export function FileName({ name }: { name: string }) {
  const characters = [...name];
  const isCut = characters.length > maxLength;
  const shown = isCut
    ? `${characters.slice(0, maxLength - endLength).join("")}…${characters.slice(-endLength).join("")}`
    : name;
  const parts = shown.split(/(?<=[_-])/);
  return (
    <span title={isCut ? name : undefined}>
      {parts.map((part, index) => (
        <Fragment key={parts.slice(0, index + 1).join("")}>
          {index > 0 ? <wbr /> : null}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
