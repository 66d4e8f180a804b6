import { useLocation } from "@remix-run/react";
import { useState } from "react";
import { type FormValues, fieldText } from "./form-values.ts";

/**
 * A hidden field with what a form was opened with, so that its action can tell what has changed since. The value stays
 * while the page's data is loaded again, as after an upload, because the form's fields do too.
 */
export function OpenedValue({ name, values, value }: { name: string; values: FormValues; value: string | number }) {
  const { key } = useLocation();
  const [opened, open] = useState({ key, value });
  if (opened.key !== key) open({ key, value });
  return <input type="hidden" name={name} value={fieldText(values, name) || opened.value} readOnly />;
}
