/** The icons of rows, drawn by the style sheet: a list has a hundred of them, and as SVG each is five elements. */
export type RowIconName = "view" | "edit" | "pause" | "resume" | "more" | "copy" | "remove" | "chart";

export function RowIcon({ name }: { name: RowIconName }) {
  return <span className={`row-icon row-icon-${name}`} aria-hidden />;
}
