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

/**
 * Returns the class of an element that begins with a row icon, which the style sheet draws: a list has a hundred of
 * them, and each as SVG would be three elements.
 */
export function rowIcon(name: RowIconName): string {
  return `row-icon row-icon-${name}`;
}

/** The place of an icon that a row lacks: the icons of all rows stay aligned. */
export function IconPlaceholder() {
  return <span className="only-wide w-8" />;
}
