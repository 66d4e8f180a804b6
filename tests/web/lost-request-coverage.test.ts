import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buttonForms } from "#tests/support/forms/button-forms.ts";
import { formCases } from "#tests/support/forms/form-cases.ts";
import { formSources, sourcesIn } from "#tests/support/forms/form-sources.ts";
import { formsElsewhere } from "#tests/support/forms/forms-elsewhere.ts";
import { sentForms } from "#tests/support/forms/sent-forms.ts";

const tested = new Set([...formCases, ...sentForms, ...buttonForms].map(({ source }) => source));

test("every form and every script that sends something has a test that loses its request", () => {
  const listed = new Set([...tested, ...Object.keys(formsElsewhere)]);
  const sources = formSources();
  expect(sources.filter((source) => !listed.has(source))).toEqual([]);
  expect([...listed].filter((source) => !sources.includes(source))).toEqual([]);
});

test("a form that is listed as tested elsewhere names a test that is there, or a form that is tested", () => {
  for (const elsewhere of Object.values(formsElsewhere)) {
    if ("test" in elsewhere) expect(existsSync(join(import.meta.dirname, "..", elsewhere.test))).toBe(true);
    if ("sends" in elsewhere) expect(tested).toContain(elsewhere.sends);
  }
});

test("forms, fetcher forms and submissions by script are found in a component's source", () => {
  const text = `
    export default function Page() {
      const fetcher = useFetcher();
      return <><Form method="post" /><fetcher.Form><b /></fetcher.Form><form /><FormSummary /></>;
    }
    const send = () => { submit(fields); fetch("/a", { method: "POST" }); fetch("/b"); new XMLHttpRequest(); };
  `;
  expect(sourcesIn(text, "a.tsx")).toEqual([
    "a.tsx#Page",
    "a.tsx#Page",
    "a.tsx#Page",
    "a.tsx#send submit",
    "a.tsx#send request",
    "a.tsx#send request",
  ]);
});

test("no form leaves the page for a document, which the browser replaces by its own error", () => {
  const allowed = [
    "ui/link.tsx#PlainForm",
    ...Object.keys(formsElsewhere),
    "screens/shared/campaigns/bulk/bulk-bar.tsx#BulkBar",
  ];
  expect(formSources({ onlyDocuments: true }).filter((source) => !allowed.includes(source))).toEqual([]);
});
