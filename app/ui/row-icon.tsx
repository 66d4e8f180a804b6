/** Row icons, drawn by the style sheet: a list has a hundred of them, and each as SVG would be five elements. */
export type RowIconName =
  | "view"
  | "edit"
  | "pause"
  | "resume"
  | "more"
  | "copy"
  | "remove"
  | "archive"
  | "restore"
  | "chart"
  | "upload"
  | "code";

export function RowIcon({ name }: { name: RowIconName }) {
  return <span className={`row-icon row-icon-${name}`} aria-hidden />;
}

/** The place of an icon that a row lacks: the icons of all rows stay aligned. */
export function IconPlaceholder() {
  return <span className="only-wide w-8" />;
}
