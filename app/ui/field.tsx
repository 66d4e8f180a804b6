import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from "react";
import { FieldFooter, FieldFrame, type FieldProps, fieldAttributes, RequiredMark } from "./form/field-frame.tsx";

type Input = Omit<InputHTMLAttributes<HTMLInputElement>, "className" | "id" | "name" | "required" | "prefix">;

/** A one-line input: text, number, date or URL. `prefix` and `suffix` are shown inside the box (`$`, `%`). */
export function TextField({
  prefix,
  suffix,
  name,
  id,
  label,
  hint,
  errors,
  required,
  ...input
}: FieldProps & Input & { prefix?: ReactNode; suffix?: ReactNode }) {
  const field = { name, id, label, hint, errors, required };
  const box = <input type="text" {...input} {...fieldAttributes(field)} className="input" />;
  return (
    <FieldFrame {...field}>
      {prefix || suffix ? (
        <span className="input-affix">
          {prefix ? <span aria-hidden>{prefix}</span> : null}
          {box}
          {suffix ? (
            <span className="suffix" aria-hidden>
              {suffix}
            </span>
          ) : null}
        </span>
      ) : (
        box
      )}
    </FieldFrame>
  );
}

/** An amount of US dollars, as a text input so that invalid input stays as it was typed. */
export function MoneyField(props: FieldProps & Input) {
  return <TextField inputMode="decimal" autoComplete="off" prefix="$" {...props} />;
}

export function TextareaField({
  name,
  id,
  label,
  hint,
  errors,
  required,
  ...input
}: FieldProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "className" | "id" | "name" | "required">) {
  const field = { name, id, label, hint, errors, required };
  return (
    <FieldFrame {...field}>
      <textarea rows={4} {...input} {...fieldAttributes(field)} className="input" />
    </FieldFrame>
  );
}

/** `figures` are shown at the end of a row: a number and what it counts. */
export type Option = {
  value: string;
  label: string;
  hint?: ReactNode;
  /** An image before the label. */
  mark?: ReactNode;
  figures?: readonly { value: string; unit?: string }[];
};

/** `emptyLabel` is the label of the empty option. */
export function SelectField({
  options,
  emptyLabel,
  name,
  id,
  label,
  hint,
  errors,
  required,
  ...input
}: FieldProps & { options: readonly Option[]; emptyLabel?: string } & Omit<
    SelectHTMLAttributes<HTMLSelectElement>,
    "className" | "id" | "name" | "required"
  >) {
  const field = { name, id, label, hint, errors, required };
  return (
    <FieldFrame {...field}>
      <select {...input} {...fieldAttributes(field)} className="input">
        {emptyLabel === undefined ? null : <option value="">{emptyLabel}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

/**
 * A group of checkboxes or radio buttons with one legend. `variant="cards"` for few options with a description each,
 * `variant="rows"` for many options compared by their figures.
 */
export function ChoiceField({
  type,
  options,
  selected,
  variant = "list",
  columns = false,
  ...field
}: FieldProps & {
  type: "checkbox" | "radio";
  options: readonly Option[];
  selected: readonly string[];
  variant?: keyof typeof variants;
  /** Shows short options side by side. */
  columns?: boolean;
}) {
  const id = field.id ?? field.name;
  const described = fieldAttributes(field)["aria-describedby"];
  return (
    <fieldset className="field" id={id} aria-describedby={described} tabIndex={-1}>
      <legend className="label">
        {field.label}
        {field.required ? <RequiredMark /> : null}
      </legend>
      <div className={`${variants[variant].group}${columns ? " choices-columns" : ""}`}>
        {options.map((option) => (
          <label key={option.value} className={variants[variant].option}>
            <input
              type={type}
              name={field.name}
              value={option.value}
              defaultChecked={selected.includes(option.value)}
            />
            {variant === "list" ? (
              <span>
                {option.mark}
                {option.label}
                {option.hint ? <span className="hint"> {option.hint}</span> : null}
              </span>
            ) : (
              <span>
                <strong>
                  {option.mark}
                  {option.label}
                </strong>
                {option.hint ? <small>{option.hint}</small> : null}
              </span>
            )}
            {option.figures?.map(({ value, unit }) => (
              <span key={`${value}${unit}`} className="choice-figure">
                <strong>{value}</strong> {unit ? <small>{unit}</small> : null}
              </span>
            ))}
          </label>
        ))}
      </div>
      <FieldFooter {...field} />
    </fieldset>
  );
}

const variants = {
  list: { group: "choices-list", option: "check" },
  cards: { group: "choices", option: "choice" },
  rows: { group: "choice-rows", option: "choice-row" },
} as const;

/** A single checkbox with its sentence. Unchecked, the field is absent. */
export function CheckboxField({
  name,
  id,
  label,
  hint,
  errors,
  defaultChecked,
  value = "on",
}: FieldProps & { defaultChecked?: boolean; value?: string }) {
  const field = { name, id, label, hint, errors };
  return (
    <div className="field">
      <label className="check">
        <input type="checkbox" value={value} defaultChecked={defaultChecked} {...fieldAttributes(field)} />
        <span>{label}</span>
      </label>
      <FieldFooter {...field} />
    </div>
  );
}
