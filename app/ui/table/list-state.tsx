/** What the URL of a list has besides its filters: the chosen columns, and the saved view that it began with. */
export type ListState = { columns?: string; saved?: string };

/** Adds the state to a list's query. No chosen column differs from no choice. */
export function setListState(query: URLSearchParams, { columns, saved }: ListState): void {
  if (columns !== undefined) query.set("columns", columns);
  if (saved) query.set("saved", saved);
}

/** The state as hidden fields of the list's filter form, so that another filter does not lose it. */
export function ListStateFields({ state: { columns, saved } }: { state: ListState }) {
  return (
    <>
      {columns === undefined ? null : <input type="hidden" name="columns" value={columns} />}
      {saved ? <input type="hidden" name="saved" value={saved} /> : null}
    </>
  );
}
