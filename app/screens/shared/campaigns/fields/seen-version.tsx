import { useLocation } from "@remix-run/react";
import { useState } from "react";
import { type FormValues, fieldText } from "#app/ui/form/form-values.ts";

/**
 * The version of the campaign that a form was opened with. It stays while the page's data is loaded again, as after an
 * upload, because the form's fields do too.
 */
export function SeenVersion({ values, version }: { values: FormValues; version: number }) {
  const { key } = useLocation();
  const [opened, open] = useState({ key, version });
  if (opened.key !== key) open({ key, version });
  return <input type="hidden" name="version" value={fieldText(values, "version") || opened.version} readOnly />;
}
