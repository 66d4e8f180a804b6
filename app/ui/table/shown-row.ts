/** A row of a table as the page shows it: the value of its checkbox, and the name in the checkbox's label. */
export type ShownRow = { id: string; name: string };

/** The label of a row's checkbox, which begins with this. */
export const selectLabel = (name: string) => `${selectPrefix}${name}`;
export const selectPrefix = "Select ";

/** The class of the cells in the column of the rows' checkboxes. */
export const selectCell = "select-cell";
