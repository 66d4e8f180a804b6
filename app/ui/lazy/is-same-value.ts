import { isValidElement } from "react";

/** Whether two properties of a component have the same contents: plain objects, lists, dates and elements. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  if (one instanceof Date) return other instanceof Date && one.getTime() === other.getTime();
  if (isValidElement(one))
    return isValidElement(other) && one.type === other.type && isSameValue(one.props, other.props);
  const entries = Object.entries(one);
  const others = new Map(Object.entries(other));
  return entries.length === others.size && entries.every(([key, value]) => isSameValue(value, others.get(key)));
}
