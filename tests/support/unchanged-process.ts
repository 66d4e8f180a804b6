import { afterAll, expect } from "vitest";

/** A file that shares its process leaves the environment as it found it: the files after it have read it already, or will. */
const before = environment();
afterAll(() => {
  const message = "This file changes its environment, and vitest.config.ts gives it no process of its own";
  expect(environment(), message).toEqual(before);
});

/** Without what libraries note there when they are loaded. */
function environment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:AWS_SDK_|VIPSHOME$)/.test(name)));
}
