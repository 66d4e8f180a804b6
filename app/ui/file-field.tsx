import type { InputHTMLAttributes, ReactNode } from "react";

/** A file input. Browsers clear the selected files after an error. */
export function FileField({
  name,
  label,
  hint,
  errors,
  invalid = false,
  ...input
}: {
  name: string;
  label: string;
  hint?: ReactNode;
  errors?: readonly string[];
  /** The error is shown elsewhere, in the element with the id `NAME-error`. */
  invalid?: boolean;
} & Pick<InputHTMLAttributes<HTMLInputElement>, "accept" | "multiple" | "required">) {
  const wrong = invalid || Boolean(errors?.length);
  const described = [hint ? `${name}-hint` : "", wrong ? `${name}-error` : ""].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        {...input}
        type="file"
        id={name}
        name={name}
        className="input input-file"
        aria-describedby={described || undefined}
        aria-invalid={wrong || undefined}
      />
      {hint ? (
        <p className="hint" id={`${name}-hint`}>
          {hint}
        </p>
      ) : null}
      {errors?.length ? (
        <p className="error" id={`${name}-error`}>
          {errors.join(". ")}
        </p>
      ) : null}
    </div>
  );
}
