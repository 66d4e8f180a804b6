import type { KeyboardEvent } from "react";
import { MoneyField } from "#app/ui/field.tsx";
import { type FieldsProps, textOf } from "#app/ui/form/form-values.ts";

/** `budget` and `daily_budget`, US dollars as typed. */
export function BudgetFields({ values, errors }: FieldsProps) {
  return (
    <div className="form-grid form-grid-2">
      <MoneyField
        name="budget"
        label="Total budget"
        hint="US dollars, for the whole campaign"
        required
        {...hundreds}
        defaultValue={textOf(values, "budget")}
        errors={errors.budget}
      />
      <MoneyField
        name="daily_budget"
        label="Daily budget"
        hint="The most that one day may spend"
        required
        {...hundreds}
        defaultValue={textOf(values, "daily_budget")}
        errors={errors.daily_budget}
      />
    </div>
  );
}

/** In steps of 100, not under 0, by the arrow keys; a number field would lose what it cannot read. */
const hundreds = { min: 0, step: 100, onKeyDown: stepByArrow };

function stepByArrow(event: KeyboardEvent<HTMLInputElement>) {
  const by = event.key === "ArrowUp" ? 100 : event.key === "ArrowDown" ? -100 : 0;
  const now = Number(event.currentTarget.value || 0);
  if (by === 0 || Number.isNaN(now)) return;
  event.preventDefault();
  event.currentTarget.value = String(Math.max(0, now + by));
  // As typing would: the form checks the field again.
  event.currentTarget.dispatchEvent(new Event("input", { bubbles: true }));
}
