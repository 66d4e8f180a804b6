import { afterEach, beforeEach, expect } from "vitest";

/** A stray `console.error` (React's warnings are such) fails the test in which it was written. */
const written: unknown[][] = [];

beforeEach(() => {
  written.length = 0;
  console.error = (...args: unknown[]) => {
    written.push(args);
  };
});

afterEach(() => {
  expect(written, "written to console.error").toEqual([]);
});
