import { expect, test } from "vitest";
import { lintFindings } from "./example-project.ts";

const message =
  "Read a form by readFormData or openMultipart, and a call's body by readRequestBody: nothing else passes the gate.";

test("reading a body without the gate is reported", async () => {
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
