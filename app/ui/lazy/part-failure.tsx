/** In place of a part whose script could not be loaded, on a screen that was reached by a link. */
export function PartFailure() {
  return <p className="hint">This part could not be loaded. Reload the page to see it.</p>;
}
