/** Gives the entry of the history the key by which the router stores its place on the page, unless it has one. */
export function nameHistoryEntry(history: Pick<History, "state" | "replaceState">): void {
  const state: { key?: unknown } | null = history.state;
  if (!state?.key) history.replaceState({ key: `${Math.random()}` }, "");
}
