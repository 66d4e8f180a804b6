import type { ComponentProps } from "react";
import { BudgetForm } from "./budget-form.tsx";

/** The form on a campaign's page, closed until it is opened. Works without scripting. */
export function BudgetChange(props: Omit<ComponentProps<typeof BudgetForm>, "rejected" | "cancelHref">) {
  return (
    <details className="card disclosure-card">
      <summary>Change budget or end date</summary>
      <div className="card-body">
        <BudgetForm {...props} />
      </div>
    </details>
  );
}
