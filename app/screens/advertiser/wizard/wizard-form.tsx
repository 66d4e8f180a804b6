import { Form } from "@remix-run/react";
import type { ReactNode } from "react";

/** The form of a step; `files` when it may have some. */
export function WizardForm({
  files,
  onChange,
  children,
}: {
  files: boolean;
  onChange: () => void;
  children: ReactNode;
}) {
  const encType = files ? "multipart/form-data" : undefined;
  return (
    <Form method="post" encType={encType} id="wizard" noValidate className="stack" onChange={onChange}>
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
