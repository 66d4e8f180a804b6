export type ChartTableColumn = { head: string; align?: "right" };

/** Returns a right-aligned column of numbers. */
export function numberColumn(head: string): ChartTableColumn {
  return { head, align: "right" };
}

/** The data of a chart, behind "Show as table". A long table scrolls in its own box. */
export function ChartTable({
  caption,
  columns,
  rows,
  foot,
}: {
  caption: string;
  columns: readonly ChartTableColumn[];
  /** A text for each column; the first one is the row header. */
  rows: readonly (readonly string[])[];
  foot?: readonly string[];
}) {
  return (
    <details className="chart-details">
      <summary>Show as table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard. */}
      <section className="chart-scroll" tabIndex={0} aria-label={caption}>
        <table className="chart-table">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ head, align }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns don't move, and two may have one name
                <th key={place} scope="col" className={align ? "align-right" : undefined}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no state, and two may be equal
              <Row key={place} cells={cells} columns={columns} />
            ))}
          </tbody>
          {foot ? (
            <tfoot>
              <Row cells={foot} columns={columns} />
            </tfoot>
          ) : null}
        </table>
      </section>
    </details>
  );
}

function Row({ cells, columns }: { cells: readonly string[]; columns: readonly ChartTableColumn[] }) {
  return (
    <tr>
      {columns.map(({ align }, index) =>
        index === 0 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns don't move, and two may have one name
          <th key={index} scope="row">
            {cells[index]}
          </th>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns don't move, and two may have one name
          <td key={index} className={align ? "align-right" : undefined}>
            {cells[index]}
          </td>
        ),
      )}
    </tr>
  );
}
