import type { ReactNode, RefObject } from "react";
import { ErrorSummary, type SummaryError, summaryOf } from "#app/ui/notice.tsx";
import type { FormErrors } from "./form-values.ts";

/** What stops a form, on top of it. It takes the focus for errors of no field that is in sight. */
export function FormSummary({
  errors,
  place,
  listed = summaryOf(errors),
  children,
}: {
  errors: FormErrors;
  place: RefObject<HTMLDivElement>;
  /** The errors in another order, or with links of another kind. */
  listed?: readonly SummaryError[];
  children?: ReactNode;
}) {
  return (
    <div ref={place} tabIndex={-1} className="attention">
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
