import { useActionData, useLocation } from "@remix-run/react";
import { useState } from "react";

/**
 * Returns what the action returned to the last form of this page. It stays while the page's data is loaded again, for
 * example when an upload ends, and with it a secret that is shown once, an error, or the lines that are left to
 * correct: React Router forgets it then. Undefined before a form is submitted, and after a navigation.
 */
export function useFormResponse<T>() {
  const { key } = useLocation();
  const response = useActionData<T>();
  const [kept, keep] = useState({ key, response });
  const isNew = key !== kept.key || (response !== undefined && response !== kept.response);
  if (isNew) keep({ key, response });
  return isNew ? response : kept.response;
}
