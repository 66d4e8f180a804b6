import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/test.ts";
import { expectError, expectNoError, formCases } from "#tests/support/forms/form-cases.ts";

for (const { name, open, submit, required, wrong, kept, sends = false } of formCases) {
  test(`the form "${name}" shows errors at its fields, and keeps its input`, async ({ page }, { project }) => {
    await open(page);
    const posts: string[] = [];
    page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
    const field = page.getByLabel(wrong.label);
    const send = () => page.getByRole("button", { name: submit, exact: true }).click();
    if (project.name === "scripting") {
      await test.step("an error shows when the field is left, and goes when it is corrected", async () => {
        // Where one field is all, it is left empty; where there are two, the required one is as it was when sent.
        const left = required?.label === wrong.label ? { ...required, bad: "" } : wrong;
        await field.fill(left.bad);
        await field.press("Tab");
        await expectError(page, left.label, left.message);
        await expect(page.getByRole("alert")).toHaveCount(0);
        await field.fill(left.good);
        await expectNoError(page, left.label);
      });
    }
    if (required) {
      await page.getByLabel(required.label).fill("");
      await send();
      await expectError(page, required.label, required.message);
      // The browser neither blocks the form nor shows messages of its own.
      expect(await page.getByLabel(required.label).getAttribute("required")).toBeNull();
      await page.getByLabel(required.label).fill(required.good);
    }
    await page.getByLabel(kept.label).fill(kept.value);
    await field.fill(wrong.bad);
    await send();
    await expectError(page, wrong.label, wrong.message);
    await expect(field).toHaveValue(wrong.bad);
    await expect(page.getByLabel(kept.label)).toHaveValue(kept.value);
    await expect(page.getByRole("alert")).toContainText(wrong.message);
    if (project.name === "scripting") {
      await expect(page.locator(":focus")).toHaveAttribute("aria-invalid", "true");
      expect(posts.length > 0, "the form is sent").toBe(sends);
      await field.fill(wrong.good);
      await expectNoError(page, wrong.label);
    }
  });
}
