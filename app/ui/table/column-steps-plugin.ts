import plugin from "tailwindcss/plugin";
import { columnSteps, twoLineWidth } from "./column-steps.ts";

/**
 * Writes the classes of column.ts into the style sheet: `from-N` is left out while the card is narrower than N pixels,
 * `until-N` is shown there, and a table with `detail-below-N` has the detail in its rows' titles there, in place of the
 * column.
 */
export default plugin(({ addBase }) => {
  addBase({
    ".data-table .column-detail": { display: "none" },
    [`@container table (width > ${twoLineWidth}px)`]: { ".until-wide": { display: "none" } },
  });
  for (const from of columnSteps) {
    addBase({
      [`@container table (${twoLineWidth}px < width < ${from}px)`]: {
        [`.data-table .from-${from}`]: { display: "none" },
        [`.data-table.detail-below-${from} .column-detail`]: { display: "inline" },
      },
      [`@container table (width >= ${from}px)`]: { [`.until-${from}`]: { display: "none" } },
    });
  }
});
