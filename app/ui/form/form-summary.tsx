import type { ReactNode, RefObject } from "react";
import { ErrorSummary, type SummaryError, toSummaryErrors } from "#app/ui/notice.tsx";
import type { FormErrors } from "./form-values.ts";

/** The errors of a form, at its top. Gets focus if none of the errors belongs to a visible field. */
export function FormSummary({
  errors,
  place,
  listed = toSummaryErrors(errors),
  children,
}: {
  errors: FormErrors;
  place: RefObject<HTMLDivElement>;
  /** The errors in another order, or with other links. */
  listed?: readonly SummaryError[];
  children?: ReactNode;
}) {
  return (
    <div ref={place} tabIndex={-1} className="focus-on-change">
      {children ? (
        <div className="grid gap-3">
          {children}
          <ErrorSummary errors={listed} />
        </div>
      ) : (
        <ErrorSummary errors={listed} />
      )}
    </div>
  );
}
