import { afterAll, expect } from "vitest";

/** A file that shares its process must leave it unchanged: other files in the process have read it or will. */
const before = { environment: environment(), inherited: inheritedNames() };
afterAll(() => {
  const message = "This file changes its process, and vitest.config.ts gives it no process of its own";
  expect({ environment: environment(), inherited: inheritedNames() }, message).toEqual(before);
});

/** Returns the environment without what libraries add when they load. */
function environment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:AWS_SDK_|VIPSHOME$)/.test(name)));
}

/** Returns the names that a library added to every array, text or object, at which others (pdf.js) fail. */
function inheritedNames(): string[] {
  return [Array, String, Object].flatMap(({ name, prototype }) => {
    const names: string[] = [];
    for (const key in prototype) names.push(`${name}.prototype.${key}`);
    return names;
  });
}
