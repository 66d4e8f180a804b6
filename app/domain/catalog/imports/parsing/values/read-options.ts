import type { DialectDefinition } from "../dialects/dialect-definition.ts";
import type { RowView } from "../row-view.ts";

/**
 * Returns the values of a row's options: of cells with one value each, or of lists such as Color=Red|Size=L,
 * Type=Rectangle|Name=Size|Value=L and [S]Size=Small,[RB]Color=Red.
 */
export function optionsOf(row: RowView, { noOption = [] }: DialectDefinition): string[] {
  return row
    .all("options")
    .flatMap((cell) => {
      if (/^#[0-9a-f]{3,8}:/i.test(cell)) return [cell.replace(/^#[0-9a-f]{3,8}:/i, "")];
      if (!cell.includes("=")) return [cell];
      const pairs = cell.replace(/^\[(?=[^\]]*=[^\]]*\]$)|\]$/g, "").split(/[|,;](?=[^|,;=]*=)/);
      const values = pairs.map((pair) => /^(.*?)=(.*)$/.exec(pair.trim())).filter((pair) => pair !== null);
      const own = values.filter(([, name = ""]) => /^value$/i.test(name));
      return (own.length > 0 ? own : values).map(([, , value = ""]) => value);
    })
    .map((value) => value.trim().replace(/^#[0-9a-f]{3,8}:/i, ""))
    .filter((value) => value !== "" && !noOption.includes(value));
}
