/**
 * Up to this width of the card, in pixels, a row of a table has two lines (tables.css), and its columns have places.
 */
export const twoLineWidth = 700;

const widestStep = 1200;
const step = 20;

/** The widths of the card, in pixels, from which columns can be shown: every 20 pixels. */
export const columnSteps: readonly number[] = Array.from(
  { length: (widestStep - twoLineWidth) / step },
  (_, index) => twoLineWidth + (index + 1) * step,
);

/**
 * Returns the step from which columns of this width together fit: undefined if they always do, "never" if in no card.
 */
export function columnStepFor(width: number): number | "never" | undefined {
  if (width <= twoLineWidth) return undefined;
  // The widest card lacks less than a step.
  return width > widestStep + step ? "never" : (columnSteps.find((from) => from >= width) ?? widestStep);
}
