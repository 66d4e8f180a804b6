import { Form } from "@remix-run/react";
import type { ReactNode } from "react";

/** The form of a step. Its first button is the one that the Enter key presses, so it goes on and not back. */
export function WizardForm({ onChange, children }: { onChange: () => void; children: ReactNode }) {
  return (
    <Form method="post" id="wizard" noValidate className="stack" onChange={onChange}>
      <button type="submit" name="intent" value="enter" className="sr-only" tabIndex={-1} aria-hidden="true">
        Next
      </button>
      {children}
    </Form>
  );
}
