import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/test.ts";
import { expectError, expectNoError, formCases } from "#tests/support/forms/form-cases.ts";

for (const { name, open, submit, required, wrong, kept } of formCases) {
  test(`the form "${name}" shows errors at its fields, and keeps its input`, async ({ page }, { project }) => {
    await open(page);
    const send = () => page.getByRole("button", { name: submit, exact: true }).click();
    if (required) {
      await page.getByLabel(required.label).fill("");
      await send();
      await expectError(page, required.label, required.message);
      // The browser neither blocks the form nor shows messages of its own.
      expect(await page.getByLabel(required.label).getAttribute("required")).toBeNull();
      await page.getByLabel(required.label).fill(required.good);
    }
    const field = page.getByLabel(wrong.label);
    await page.getByLabel(kept.label).fill(kept.value);
    await field.fill(wrong.bad);
    await send();
    await expectError(page, wrong.label, wrong.message);
    await expect(field).toHaveValue(wrong.bad);
    await expect(page.getByLabel(kept.label)).toHaveValue(kept.value);
    await expect(page.getByRole("alert")).toContainText(wrong.message);
    if (project.name === "scripting") {
      await field.fill(wrong.good);
      await expectNoError(page, wrong.label);
    }
  });
}
