import { afterEach, beforeEach, expect } from "vitest";

/** A stray `console.error` (such as React's warnings) fails the test that wrote it. */
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
