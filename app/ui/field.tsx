import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from "react";

/**
 * The one way a field is wired: label above, hint below, the error at the field, all of it named to a screen reader.
 * `name` is the wire's; the id is the name too (or `id`), so that an error summary can link to `#name`.
 */
type FieldProps = {
  name: string;
  id?: string;
  label: string;
  hint?: ReactNode;
  errors?: readonly string[];
  required?: boolean;
  optional?: boolean;
};

function wiring({ name, id = name, hint, errors, required }: FieldProps) {
  const described = [hint ? `${id}-hint` : "", errors?.length ? `${id}-error` : ""].filter(Boolean).join(" ");
  return {
    id,
    name,
    "aria-describedby": described || undefined,
    "aria-invalid": errors?.length ? true : undefined,
    "aria-required": required || undefined,
  } as const;
}

function Frame({ children, ...field }: FieldProps & { children: ReactNode }) {
  const id = field.id ?? field.name;
  return (
    <div className="field">
      <label htmlFor={id}>
        {field.label}
        {field.required ? <RequiredMark /> : null}
      </label>
      {children}
      <Below {...field} />
    </div>
  );
}

function Below(field: FieldProps) {
  const id = field.id ?? field.name;
  return (
    <>
      {field.hint ? (
        <p className="hint" id={`${id}-hint`}>
          {field.hint}
        </p>
      ) : null}
      <FieldErrors id={`${id}-error`} errors={field.errors} />
    </>
  );
}

function FieldErrors({ id, errors }: { id: string; errors?: readonly string[] }) {
  if (!errors?.length) return null;
  return (
    <p className="error" id={id}>
      {errors.join(". ")}
    </p>
  );
}

function RequiredMark() {
  return (
    <span className="required" aria-hidden>
      {" *"}
    </span>
  );
}

type Input = Omit<InputHTMLAttributes<HTMLInputElement>, "className" | "id" | "name" | "required" | "prefix">;

/** One line of text, a number, a date, an address. `prefix` and `suffix` are shown inside the box (`$`, `%`). */
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
  const box = <input type="text" {...input} {...wiring(field)} className="input" />;
  return (
    <Frame {...field}>
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
    </Frame>
  );
}

/** An amount of US dollars, typed as text so that what cannot be read stays as it was typed. */
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
    <Frame {...field}>
      <textarea rows={4} {...input} {...wiring(field)} className="input" />
    </Frame>
  );
}

/** `figures` stand at the end of a row: a number and what it counts. */
export type Option = {
  value: string;
  label: string;
  hint?: ReactNode;
  figures?: readonly { value: string; unit?: string }[];
};

/** `emptyLabel` is the words of "nothing chosen". */
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
    <Frame {...field}>
      <select {...input} {...wiring(field)} className="input">
        {emptyLabel === undefined ? null : <option value="">{emptyLabel}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

/**
 * A group of checkboxes or radios with one legend. `look="cards"` for few choices that deserve a sentence each,
 * `look="rows"` for many that are compared by their figures.
 */
export function ChoiceField({
  type,
  options,
  chosen,
  look = "list",
  columns = false,
  ...field
}: FieldProps & {
  type: "checkbox" | "radio";
  options: readonly Option[];
  chosen: readonly string[];
  look?: keyof typeof looks;
  /** Short words of a list stand side by side. */
  columns?: boolean;
}) {
  const id = field.id ?? field.name;
  const described = wiring(field)["aria-describedby"];
  return (
    <fieldset className="field" id={id} aria-describedby={described} tabIndex={-1}>
      <legend className="label">
        {field.label}
        {field.required ? <RequiredMark /> : null}
      </legend>
      <div className={`${looks[look].group}${columns ? " choices-columns" : ""}`}>
        {options.map((option) => (
          <label key={option.value} className={looks[look].option}>
            <input type={type} name={field.name} value={option.value} defaultChecked={chosen.includes(option.value)} />
            {look === "list" ? (
              <span>
                {option.label}
                {option.hint ? <span className="hint"> {option.hint}</span> : null}
              </span>
            ) : (
              <span>
                <strong>{option.label}</strong>
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
      <Below {...field} />
    </fieldset>
  );
}

const looks = {
  list: { group: "choices-list", option: "check" },
  cards: { group: "choices", option: "choice" },
  rows: { group: "choice-rows", option: "choice-row" },
} as const;

/** One switch: a checkbox with its sentence. Unchecked, the field is absent. */
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
        <input type="checkbox" value={value} defaultChecked={defaultChecked} {...wiring(field)} />
        <span>{label}</span>
      </label>
      <Below {...field} />
    </div>
  );
}
