import type { ElementType, Key } from "react";
import { jsx as reactJsx } from "react/jsx-runtime";

export { Fragment } from "react";

const elementType = Symbol.for("react.element");

type Props = Record<string, unknown>;

/**
 * Creates an element as React's own function does, but with the compiler's object of properties in place of a copy. The
 * server's build calls this one (vite.config.ts): a list has some thousand elements.
 */
export function jsx(type: ElementType, props: Props, key?: Key): unknown {
  const isUsual = props.key === undefined && props.ref === undefined && !hasDefaults(type);
  if (!isUsual) return reactJsx(type, props, key);
  return { $$typeof: elementType, type, key: key === undefined ? null : String(key), ref: null, props, _owner: null };
}

/** Creates an element with several children, which need no treatment of their own in production. */
export function jsxs(type: ElementType, props: Props, key?: Key): unknown {
  return jsx(type, props, key);
}

function hasDefaults(type: unknown): boolean {
  const isComponent = typeof type === "function" || (typeof type === "object" && type !== null);
  return isComponent && Reflect.get(type, "defaultProps") !== undefined;
}
