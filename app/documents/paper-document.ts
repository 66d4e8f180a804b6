/**
 * A PDF document: a heading, facts, and one table with its totals. All texts are formatted; `width` is a column's share
 * of the page width.
 */
export type PdfDocument = {
  /** Whether the pages are wider than high, for tables of many columns. */
  isLandscape?: boolean;
  title: string;
  subtitle: string;
  /** Issuer and creation date are metadata of the file, so that the same document has the same bytes. */
  issuer: string;
  createdAt: Date;
  facts: readonly { label: string; value: string }[];
  table: {
    columns: readonly { head: string; width: number; right?: boolean }[];
    rows: readonly (readonly string[])[];
    totals?: readonly string[];
  };
  /** A text below the table. */
  note?: string;
};
