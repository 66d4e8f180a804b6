import type { KeyboardEvent } from "react";
import { MoneyField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldText } from "#app/ui/form/form-values.ts";

/** The fields `budget` and `daily_budget`, in US dollars as typed. */
export function BudgetFields({ values, errors }: FieldsProps) {
  return (
    <div className="form-grid form-grid-2">
      <MoneyField
        name="budget"
        label="Total budget"
        hint="In US dollars, for the whole campaign"
        required
        {...hundreds}
        defaultValue={fieldText(values, "budget")}
        errors={errors.budget}
      />
      <MoneyField
        name="daily_budget"
        label="Daily budget"
        hint="Maximum spend per day, in US dollars"
        required
        {...hundreds}
        defaultValue={fieldText(values, "daily_budget")}
        errors={errors.daily_budget}
      />
    </div>
  );
}

/**
 * Arrow keys change the amount in steps of 100, not below 0. The input is a text field, because a number field would
 * discard invalid input.
 */
const hundreds = { min: 0, step: 100, onKeyDown: stepByArrow };

function stepByArrow(event: KeyboardEvent<HTMLInputElement>) {
  const by = event.key === "ArrowUp" ? 100 : event.key === "ArrowDown" ? -100 : 0;
  const now = Number(event.currentTarget.value || 0);
  if (by === 0 || Number.isNaN(now)) return;
  event.preventDefault();
  event.currentTarget.value = String(Math.max(0, now + by));
  // Fires the event that typing fires, so that the form validates the field again.
  event.currentTarget.dispatchEvent(new Event("input", { bubbles: true }));
}
