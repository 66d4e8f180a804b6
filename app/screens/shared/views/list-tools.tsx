import type { ComponentProps } from "react";
import type { ColumnChoice } from "#app/ui/table/choose-columns.ts";
import { ColumnsMenu } from "#app/ui/table/columns-menu.tsx";
import type { ListState } from "#app/ui/table/list-state.tsx";
import { ViewsMenu } from "./views-menu.tsx";

/**
 * The menus of a list's saved views and columns. `queryOf` is the list's query string with these changes, and `chosen`
 * the chosen columns as `chooseColumns` returns them.
 */
export function ListTools({
  choices,
  chosen,
  queryOf,
  ...views
}: Omit<ComponentProps<typeof ViewsMenu>, "query"> & {
  choices: readonly ColumnChoice[];
  chosen: string | undefined;
  queryOf: (changes: ListState) => string;
}) {
  return (
    <>
      <ViewsMenu {...views} query={queryOf({ columns: chosen, saved: undefined })} />
      <ColumnsMenu choices={choices} query={queryOf({ columns: undefined })} />
    </>
  );
}
