import { awaitHydration } from "#tests/support/browser/await-hydration.ts";
import { test } from "#tests/support/browser/test.ts";
import { isFullFaultRun } from "#tests/support/fault-runs.ts";
import { buttonForms } from "#tests/support/forms/button-forms.ts";
import { formCases } from "#tests/support/forms/form-cases.ts";
import { enter, expectKeptForm } from "#tests/support/forms/lost-request.ts";
import { sentForms } from "#tests/support/forms/sent-forms.ts";

/** A hundred forms take as long as all screens: the small run sends every eighth of each list. */
const sampled = <Form>(forms: readonly Form[]) => forms.filter((_, index) => isFullFaultRun || index % 8 === 0);

for (const form of sampled(formCases)) {
  test(`the form "${form.name}" keeps its input through a lost connection and a busy server`, async ({ page }) => {
    await form.open(page);
    const kept = form.kept.label === form.wrong.label ? { ...form.kept, value: form.wrong.good } : form.kept;
    await form.complete?.(page);
    if (form.required) await page.getByLabel(form.required.label).fill(form.required.good);
    await page.getByLabel(form.wrong.label).fill(form.wrong.good);
    await page.getByLabel(kept.label).fill(kept.value);
    await expectKeptForm(page, { submit: form.submit, kept });
  });
}

for (const form of [...sampled(sentForms), ...sampled(buttonForms)]) {
  test(`the form "${form.name}" stays as it is through a lost connection and a busy server`, async ({ page }) => {
    await form.open(page);
    await awaitHydration(page);
    await form.complete?.(page);
    if (form.kept) await enter(page, form.kept);
    await expectKeptForm(page, form);
  });
}
