import { MoneyField } from "#app/ui/field.tsx";
import { type FieldsProps, textOf } from "./form-values.ts";

/** `budget` and `daily_budget`, US dollars as typed. */
export function BudgetFields({ values, errors }: FieldsProps) {
  return (
    <div className="form-grid form-grid-2">
      <MoneyField
        name="budget"
        label="Total budget"
        hint="US dollars, for the whole campaign"
        required
        defaultValue={textOf(values, "budget")}
        errors={errors.budget}
      />
      <MoneyField
        name="daily_budget"
        label="Daily budget"
        hint="The most that one day may spend"
        required
        defaultValue={textOf(values, "daily_budget")}
        errors={errors.daily_budget}
      />
    </div>
  );
}
