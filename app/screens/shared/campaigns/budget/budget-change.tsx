import type { ComponentProps } from "react";
import { LinkButton } from "#app/ui/button.tsx";
import { lazyDetails } from "#app/ui/lazy/lazy-details.tsx";
import { BudgetForm } from "./budget-form.tsx";

const Details = lazyDetails(import.meta.env.SSR ? BudgetForm : undefined, () =>
  import("./budget-form.tsx").then((part) => part.BudgetForm),
);

/** The form on a campaign's page, closed until it is opened. Works without scripting. */
export function BudgetChange(props: Omit<ComponentProps<typeof BudgetForm>, "rejected" | "cancelHref">) {
  return (
    <Details
      className="card disclosure-card"
      summary="Change budget or end date"
      bodyClass="card-body"
      otherwise={<LinkButton to={props.action}>{props.submitLabel}</LinkButton>}
      props={props}
    />
  );
}
