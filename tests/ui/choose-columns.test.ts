import fc from "fast-check";
import { createElement, Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { chooseColumns } from "#app/ui/table/choose-columns.ts";
import { type Column, columnClassNames, columnsLeftOut, tableClassName } from "#app/ui/table/column.ts";

const cell = () => null;
const columns: Column<string>[] = [
  { header: "Campaign", place: "title", cell },
  { header: "Status", name: "status", place: "status", width: 180, cell },
  { header: "Channels", name: "channels", priority: 4, width: 156, cell },
  { header: "Budget", name: "budget", place: "amount", cell },
  { header: "Clicks", name: "clicks", optional: true, align: "right", priority: 5, width: 90, cell },
  { header: "ROAS", name: "roas", align: "right", priority: 3, width: 66, cell },
  { header: "Dates", name: "dates", priority: 2, cell },
];
const headersOf = (requested: string | undefined) =>
  chooseColumns(columns, requested).columns.map(({ header }) => header);
/** Returns the width of the card from which a column is shown; 0 if it always is. */
const shownFrom = (requested: string | undefined, header: string) => {
  const chosen = chooseColumns(columns, requested).columns;
  const names = columnClassNames(chosen, { selects: true, actionsWidth: 148 });
  const [, from = "0"] = /from-(\d+)/.exec(names[chosen.findIndex((column) => column.header === header)] ?? "") ?? [];
  return Number(from);
};

test("without a choice the usual columns are shown, and optional ones are offered", () => {
  const { choices, chosen } = chooseColumns(columns, undefined);
  expect(headersOf(undefined)).toEqual(["Campaign", "Status", "Channels", "Budget", "ROAS", "Dates"]);
  expect(choices.filter(({ isChosen }) => !isChosen)).toEqual([{ name: "clicks", label: "Clicks", isChosen: false }]);
  expect(chosen).toBeUndefined();
});

test("a choice shows its columns in the table's order, and always the name", () => {
  expect(headersOf("roas,clicks,nonsense,roas")).toEqual(["Campaign", "Clicks", "ROAS"]);
  expect(chooseColumns(columns, "roas,clicks,nonsense,roas").chosen).toBe("clicks,roas");
  expect(headersOf("")).toEqual(["Campaign"]);
  expect(chooseColumns(columns, "").chosen).toBe("");
});

test("choosing exactly the usual columns is no choice", () => {
  expect(chooseColumns(columns, "dates,status,channels,budget,roas").chosen).toBeUndefined();
});

test("chosen columns that the usual table leaves out first are left out last", () => {
  expect(shownFrom(undefined, "Channels")).toBeGreaterThan(shownFrom(undefined, "Dates"));
  const chosen = "status,channels,budget,roas,dates,clicks";
  expect(shownFrom(chosen, "Clicks")).toBeLessThan(shownFrom(chosen, "Channels"));
  expect(shownFrom(chosen, "Channels")).toBeLessThan(shownFrom(chosen, "Dates"));
});

test("chosen columns that some cards have no room for are named there, the first to be left out first", () => {
  const leftOut = (requested: string | undefined) =>
    columnsLeftOut(chooseColumns(columns, requested).columns, { selects: true, actionsWidth: 148 }).map(
      ({ header, className }) => `${header} ${className}`,
    );
  expect(leftOut(undefined)).toEqual([]);
  expect(leftOut("status,clicks,roas")).toEqual(["ROAS until-wide"]);
  const chosen = "status,channels,budget,roas,dates,clicks";
  const steps = (...headers: string[]) => headers.map((header) => `${header} until-${shownFrom(chosen, header)}`);
  expect(leftOut(chosen)).toEqual(steps("Dates", "ROAS", "Channels", "Clicks"));
});

test("without the amount, the first chosen figure is in its place, with its name", () => {
  const { columns: chosen } = chooseColumns(columns, "status,clicks,roas");
  const [figure, ...others] = chosen.filter(({ place }) => place === "amount");
  expect(others).toEqual([]);
  expect(figure?.header).toBe("Clicks");
  expect(renderToStaticMarkup(createElement(Fragment, null, figure?.cell("row")))).toContain(">Clicks</span>");
});

test("the title has a column's content exactly in those cards that leave the column out", () => {
  const others = { selects: true, actionsWidth: 148 };
  const moving = columns.map((column) =>
    column.name === "dates" ? { ...column, inTitleWhenLeftOut: true as const } : column,
  );
  expect(tableClassName(moving, others)).toBe(`data-table detail-below-${shownFrom(undefined, "Dates")}`);
  expect(tableClassName(chooseColumns(moving, "status,roas").columns, others)).toBe("data-table");
  expect(tableClassName(columns, others)).toBe("data-table");
});

test("the columns that the URL names after a choice are the same choice", () => {
  const names = columns.flatMap(({ name }) => name ?? []);
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...names, "other", "")), (requested) => {
      const { chosen } = chooseColumns(columns, requested.join(","));
      expect(headersOf(chosen)).toEqual(headersOf(requested.join(",")));
      expect(chooseColumns(columns, chosen).chosen).toBe(chosen);
    }),
  );
});

test("a column that fits no card is never shown", () => {
  const wide = columns.map((column) => ({ ...column, width: 300, priority: column.name ? 1 : undefined }));
  expect(columnClassNames(wide, { selects: true, actionsWidth: 148 })).toContain("place-status from-never");
});
