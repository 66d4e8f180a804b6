import { expect, test } from "vitest";
import { lintFindings } from "./example-project.ts";

const message =
  "Read a form by readForm or openMultipart, and a call's body by readCallBody: nothing else passes the gate.";

test("a body that is read past the gate is reported", async () => {
  const findings = await lintFindings({
    "app/example.ts": `export const form = (request: Request) => request.formData();
export const copied = (request: Request) => request.clone().formData();
export const json = (request: Request): Promise<unknown> => request.json();
export const text = (request: Request) => request.text();
export const answered = (answer: Response) => answer.text();
`,
  });
  expect(findings).toEqual([1, 2, 3, 4].map((line) => `app/example.ts:${line} ${message}`));
});
