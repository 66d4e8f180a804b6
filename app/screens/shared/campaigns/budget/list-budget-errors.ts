import { campaignFieldRows } from "#app/domain/campaigns/campaign-fields.ts";
import type { FormErrors } from "#app/ui/form/form-values.ts";
import { type SummaryError, toSummaryErrors } from "#app/ui/notice.tsx";

const own = ["budget", "daily_budget", "end_date"];

/**
 * Lists the errors of the form of budgets and end date. One of another field of the campaign, such as an audience that
 * has become too small, leads to the page that has the field; a publisher's has all of them, an advertiser's those of a
 * step.
 */
export function listBudgetErrors(errors: FormErrors, editHref: string): SummaryError[] {
  return Object.entries(errors).flatMap(([field, messages]) => {
    const listed = toSummaryErrors({ [field]: messages }, own);
    const step = own.includes(field) ? undefined : campaignFieldRows.find(({ name }) => name === field)?.step;
    return step ? listed.map((error) => ({ ...error, href: `${editHref}?step=${step}#${field}` })) : listed;
  });
}
