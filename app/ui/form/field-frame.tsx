import type { ReactNode } from "react";

/**
 * The layout and wiring of every field: label above, hint below, error at the field, all announced by screen readers.
 * `name` is the form field's name and also its id (unless `id` is set), so that an error summary can link to `#name`.
 */
export type FieldProps = {
  name: string;
  id?: string;
  label: string;
  hint?: ReactNode;
  errors?: readonly string[];
  required?: boolean;
  optional?: boolean;
};

export function fieldAttributes({ name, id = name, hint, errors, required }: FieldProps) {
  const described = [hint ? `${id}-hint` : "", errors?.length ? `${id}-error` : ""].filter(Boolean).join(" ");
  return {
    id,
    name,
    "aria-describedby": described || undefined,
    "aria-invalid": errors?.length ? true : undefined,
    "aria-required": required || undefined,
  } as const;
}

export function FieldFrame({ children, ...field }: FieldProps & { children: ReactNode }) {
  const id = field.id ?? field.name;
  return (
    <div className="field">
      <label htmlFor={id}>
        {field.label}
        {field.required ? <RequiredMark /> : null}
      </label>
      {children}
      <FieldFooter {...field} />
    </div>
  );
}

export function FieldFooter(field: FieldProps) {
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

export function RequiredMark() {
  return (
    <span className="required" aria-hidden>
      {" *"}
    </span>
  );
}
