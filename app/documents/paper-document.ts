/** A document of ours: a heading, facts, one table with its totals. All texts are ready to be shown; `width` is a column's share of the page. */
export type PaperDocument = {
  title: string;
  subtitle: string;
  /** On whose behalf, and when: of the file, so that the same document is the same bytes. */
  issuer: string;
  madeAt: Date;
  facts: readonly { label: string; value: string }[];
  table: {
    columns: readonly { head: string; width: number; right?: boolean }[];
    rows: readonly (readonly string[])[];
    totals?: readonly string[];
  };
  /** Below the table. */
  note?: string;
};
