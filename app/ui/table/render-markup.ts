import { Fragment, isValidElement, type ReactNode } from "react";

/**
 * Renders elements to the text that React's `renderToString` renders them to, in a third of its time; undefined if they
 * contain anything that this does not know, such as class components, providers, inline styles or text areas. Must be
 * called while a component renders on the server: hooks of the components inside work as that component's own, except
 * `useId`, whose ids name a place in React's tree.
 */
export function renderMarkup(node: ReactNode): string | undefined {
  const target: Target = { text: "", endsInText: false };
  return pushNode(target, node) ? target.text : undefined;
}

/** `endsInText`: React separates two texts with a comment, so that the browser does not join them. */
type Target = { text: string; endsInText: boolean };

function pushNode(target: Target, node: unknown): boolean {
  if (node === null || node === undefined || typeof node === "boolean") return true;
  if (typeof node === "string" || typeof node === "number") return pushText(target, String(node));
  if (Array.isArray(node)) return node.every((child) => pushNode(target, child));
  if (!isValidElement<Record<string, unknown>>(node)) return false;
  const { type, props } = node;
  if (typeof type === "string") return pushTag(target, type, props);
  if (type === Fragment) return pushNode(target, props.children);
  if (typeof type !== "function" || "isReactComponent" in (type.prototype ?? {})) return false;
  return pushNode(target, Reflect.apply(type, undefined, [props]));
}

function pushText(target: Target, text: string): boolean {
  if (text === "") return true;
  target.text += (target.endsInText ? "<!-- -->" : "") + escapeHtml(text);
  target.endsInText = true;
  return true;
}

const voidTags = new Set(["br", "hr", "img", "input", "wbr"]);
/** Tags whose contents React changes, or that it places elsewhere. */
const unknownTags = new Set([
  "script",
  "select",
  "option",
  "textarea",
  "title",
  "pre",
  "listing",
  "menuitem",
  "link",
  "meta",
]);

function pushTag(target: Target, tag: string, props: Record<string, unknown>): boolean {
  if (unknownTags.has(tag) || tag.includes("-")) return false;
  target.text += `<${tag}`;
  for (const name in props) if (!isHeldBack(tag, name) && !pushAttribute(target, name, props[name])) return false;
  target.endsInText = false;
  if (tag === "input") return pushInputState(target, props);
  if (voidTags.has(tag)) {
    target.text += "/>";
    return true;
  }
  target.text += ">";
  const { dangerouslySetInnerHTML: inner, children } = props;
  if (isInnerHtml(inner)) target.text += inner.__html;
  else if (inner || !pushNode(target, children)) return false;
  target.text += `</${tag}>`;
  target.endsInText = false;
  return true;
}

function isInnerHtml(inner: unknown): inner is { __html: string } {
  return typeof inner === "object" && inner !== null && "__html" in inner && typeof inner.__html === "string";
}

/** Whether React writes a property elsewhere than in its place, or not at all. */
function isHeldBack(tag: string, name: string): boolean {
  if (name === "children" || name === "dangerouslySetInnerHTML" || name === "suppressHydrationWarning") return true;
  if (name.startsWith("on") || name === "defaultValue" || name === "defaultChecked") return true;
  return tag === "input" && (name === "value" || name === "checked");
}

/** An input's state comes last. */
function pushInputState(target: Target, props: Record<string, unknown>): boolean {
  const checked = props.checked ?? props.defaultChecked;
  const value = props.value ?? props.defaultValue;
  if (!pushAttribute(target, "checked", checked) || !pushAttribute(target, "value", value)) return false;
  target.text += "/>";
  return true;
}

const renamed = new Map([
  ["className", "class"],
  ["htmlFor", "for"],
  ["tabIndex", "tabindex"],
]);
/** Attributes that React writes with their capitals. */
const asWritten = new Set(["maxLength"]);
const booleans = new Set(["checked", "disabled", "hidden", "open", "required"]);
/** Attributes with rules of their own. */
const unknownNames = new Set(
  "style autofocus capture cols controls default download draggable focusable loop multiple muted reversed rows scoped seamless selected size span start".split(
    " ",
  ),
);

function pushAttribute(target: Target, name: string, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (booleans.has(name)) {
    if (value) target.text += ` ${name}=""`;
    return typeof value === "boolean";
  }
  const attribute = renamed.get(name) ?? name;
  if (unknownNames.has(name) || !(/^[a-z-]+$/.test(attribute) || asWritten.has(name))) return false;
  const isStated = name.startsWith("aria-") || name.startsWith("data-");
  if (typeof value === "boolean" && !isStated) return !value && name !== "value";
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return false;
  target.text += ` ${attribute}="${escapeHtml(String(value))}"`;
  return true;
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign) : text;
}
