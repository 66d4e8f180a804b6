import type { SubmissionResult } from "@conform-to/react";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import type { FormValues } from "#app/ui/form/form-values.ts";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/page-header.tsx";
import { BudgetForm } from "./budget-form.tsx";

/** The page of a campaign's budgets and end date, for the advertiser and the publisher that manages the campaign. */
export function BudgetScreen({
  list,
  page,
  name,
  copy,
  ...form
}: {
  list: { to: string; label: string };
  /** The URL of the campaign's page. */
  page: string;
  name: string;
  copy: { submitLabel: string; text: string };
  checks: FormChecks;
  stored: FormValues;
  version: number;
  rejected?: SubmissionResult<string[]>;
}) {
  return (
    <>
      <Breadcrumbs trail={[list, { to: page, label: name }]} here="Budget and end date" />
      <PageHeader title={`Budget and end date of “${name}”`} />
      <div className="max-w-[880px]">
        <Card>
          <BudgetForm
            {...form}
            action={`${page}/budget`}
            editHref={`${page}/edit`}
            submitLabel={copy.submitLabel}
            cancelHref={page}
          >
            {copy.text}
          </BudgetForm>
        </Card>
      </div>
    </>
  );
}
