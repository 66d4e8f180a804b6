import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { iconNames } from "./icon-names.ts";

const committed = resolve(import.meta.dirname, "icons.svg");
const library = resolve(import.meta.dirname, "../../node_modules/lucide-react");

/** `npm run icons`: writes the icons of icon-names.ts, as the installed library draws them, into the sprite. */
export async function iconSprite(): Promise<string> {
  const { version }: { version: string } = JSON.parse(readFileSync(`${library}/package.json`, "utf8"));
  const symbols = await Promise.all(iconNames.map(async (name) => symbolOf(name, await shapesOf(name))));
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true">',
    `<!-- Icons of Lucide ${version}, ISC License: see /licenses.txt -->`,
    ...symbols,
    "</svg>\n",
  ].join("\n");
}

type Shape = [tag: string, attributes: Record<string, string | number>];

async function shapesOf(name: string): Promise<Shape[]> {
  const file = `${library}/dist/esm/icons/${name}.mjs`;
  const { __iconData: data }: { __iconData: { node: Shape[] } } = await import(file);
  return data.node;
}

/** Width and color of the lines are those of the page, which a symbol inherits. */
function symbolOf(name: string, shapes: readonly Shape[]): string {
  const drawn = shapes.map(([tag, { key, ...attributes }]) => {
    const pairs = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${value}"`);
    return `<${tag}${pairs.join("")}/>`;
  });
  return `<symbol id="${name}" viewBox="0 0 24 24">${drawn.join("")}</symbol>`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(committed, await iconSprite());
