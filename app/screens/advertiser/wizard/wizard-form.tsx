import { Form } from "@remix-run/react";
import type { ReactNode } from "react";

/** The form of a step. */
export function WizardForm({ onChange, children }: { onChange: () => void; children: ReactNode }) {
  return (
    <Form method="post" id="wizard" noValidate className="stack" onChange={onChange}>
      {children}
    </Form>
  );
}

/** The Enter key presses a form's first button in the page, wherever it stands: this one, so that it goes on and not back. */
export function EnterButton() {
  return (
    <button
      type="submit"
      form="wizard"
      name="intent"
      value="enter"
      className="sr-only"
      tabIndex={-1}
      aria-hidden="true"
    >
      Next
    </button>
  );
}
