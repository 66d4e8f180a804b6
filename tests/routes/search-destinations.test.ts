import { expect, test } from "vitest";
import { findDestinations } from "#app/portal/search/destinations.ts";
import { pageShortcuts } from "#app/portal/shortcuts/shortcuts.ts";
import { routeTable } from "./route-visits.ts";

const portals = ["advertiser", "publisher"] as const;

test.each(portals)(
  "each page and action that a search of the %s finds is a page, and is found by its label",
  (portal) => {
    const paths = routeTable.map(({ path }) => path);
    const { pages, actions } = findDestinations(portal, "");
    expect(pages.length).toBeGreaterThan(10);
    for (const { path, label } of [...pages, ...actions]) {
      expect(paths).toContain(`/${portal}${path.replace(/[?#].*/, "")}`);
      const found = findDestinations(portal, ` ${label.toUpperCase()} `);
      expect([...found.pages, ...found.actions].map((one) => one.path)).toContain(path);
    }
  },
);

test.each(portals)("each shortcut of the %s opens a page, and no two have the same keys", (portal) => {
  const shortcuts = pageShortcuts(portal);
  for (const { path } of shortcuts) expect(routeTable.map((route) => route.path)).toContain(`/${portal}${path}`);
  const keys = shortcuts.map((shortcut) => shortcut.keys.join());
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.filter((key) => key === "/" || key === "?")).toEqual([]);
});
