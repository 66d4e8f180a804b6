import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { projectFile } from "#app/project-file.server.ts";
import { scriptGroupOf, scriptGroups } from "#server/bundle/script-groups.ts";

const modules = readdirSync(projectFile("app"), { recursive: true, encoding: "utf8" })
  .filter((path) => /(?<!\.server|\.d)\.tsx?$/.test(path))
  .map((path) => path.replaceAll("\\", "/"));
const paths = Object.values(scriptGroups).flat();

test("every path of a group names a module of the app, and no module has two groups", () => {
  const known = new Set(modules.map((path) => path.replace(/\.tsx?$/, "")));
  expect(paths.filter((path) => !path.endsWith("/*") && !known.has(path))).toEqual([]);
  const folders = paths.filter((path) => path.endsWith("/*")).map((path) => path.slice(0, -1));
  for (const folder of folders) expect([...known].some((path) => path.startsWith(folder))).toBe(true);
  expect(paths).toEqual([...new Set(paths)]);
});

test("a module's group is that of its path, or of its folder", () => {
  expect(scriptGroupOf("/home/endcap/app/ui/table/column.ts")).toBe("table");
  expect(scriptGroupOf("/home/endcap/app/portal/portal-layout.tsx")).toBe("frame");
  expect(scriptGroupOf("/home/endcap/app/portal/search/search-dialog.tsx")).toBeUndefined();
  expect(scriptGroupOf("/home/endcap/app/screens/advertiser/dashboard/route.tsx")).toBeUndefined();
  expect(scriptGroupOf("/home/endcap/node_modules/react/index.js")).toBeUndefined();
});
