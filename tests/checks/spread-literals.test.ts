import { expect, test } from "vitest";
import { lintFindings } from "./example-project.ts";

const message =
  "Write the properties into the object itself: TypeScript does not report unknown properties in a spread literal.";

test("a spread literal is reported in objects and in JSX, with parentheses and assertions too", async () => {
  const findings = await lintFindings({
    "app/example.ts": `const a = 1;
export const packed = { ...{ a, b: 2 }, c: 3 };
export const nested = [{ id: { ...{ a } } }];
export const inParentheses = { ...({ a }) };
export const asserted = { ...({ a } as const) };
export const satisfying = { ...({ a } satisfies object) };
`,
    "app/example.tsx": `export const Box = () => <div {...{ id: "box" }} />;\n`,
  });
  const places = ["example.ts:2", "example.ts:3", "example.ts:4", "example.ts:5", "example.ts:6", "example.tsx:1"];
  expect(findings).toEqual(places.map((place) => `app/${place} ${message}`));
});

test("a spread of a value, of a condition or of an array's elements is not reported", async () => {
  const findings = await lintFindings({
    "app/example.tsx": `const a: { id?: string } = {};
export const copied = { ...a, b: 2 };
export const chosen = { ...(a.id ? { b: 2 } : {}), ...(a.id && { c: 3 }) };
export const elements = [...[1, 2]];
export const Box = () => <div {...a} />;
`,
  });
  expect(findings).toEqual([]);
});
