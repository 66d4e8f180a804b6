import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { iconNames } from "#app/ui/icon-names.ts";
import { iconSprite } from "#app/ui/write-icons.ts";

const app = resolve(import.meta.dirname, "../../app");

test("the sprite is what npm run icons writes with the installed library", async () => {
  expect(readFileSync(`${app}/ui/icons.svg`, "utf8")).toBe(await iconSprite());
});

test("the browser loads no icon that the product does not show", () => {
  const code = readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && path !== "ui/icon-names.ts")
    .map((path) => readFileSync(`${app}/${path}`, "utf8"))
    .join("\n");
  expect(iconNames.filter((name) => !code.includes(`"${name}"`))).toEqual([]);
});
