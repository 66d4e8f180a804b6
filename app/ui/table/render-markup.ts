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
  if (Array.isArray(node)) return pushNodes(target, node);
  if (!isValidElement<Record<string, unknown>>(node)) return false;
  const { type, props } = node;
  if (typeof type === "string") return pushTag(target, type, props);
  if (type === Fragment) return pushNode(target, props.children);
  if (typeof type !== "function" || "isReactComponent" in (type.prototype ?? {})) return false;
  return pushNode(target, Reflect.apply(type, undefined, [props]));
}

function pushNodes(target: Target, nodes: readonly unknown[]): boolean {
  for (const node of nodes) if (!pushNode(target, node)) return false;
  return true;
}

function pushText(target: Target, text: string): boolean {
  if (text === "") return true;
  target.text += target.endsInText ? `<!-- -->${escapeHtml(text)}` : escapeHtml(text);
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

/** What is the same for each element with a tag: `opening` is its text until the attributes. */
type Tag = { isKnown: boolean; isInput: boolean; isVoid: boolean; opening: string; closing: string };

/**
 * By their names, which are those in the code, as those of `attributes` are: a list has a few in more than a thousand
 * elements.
 */
const tags = new Map<string, Tag>();

function tagOf(name: string): Tag {
  let tag = tags.get(name);
  if (!tag) {
    tag = {
      isKnown: !unknownTags.has(name) && !name.includes("-"),
      isInput: name === "input",
      isVoid: voidTags.has(name),
      opening: `<${name}`,
      closing: `</${name}>`,
    };
    tags.set(name, tag);
  }
  return tag;
}

function pushTag(target: Target, tag: string, props: Record<string, unknown>): boolean {
  const { isKnown, isInput, isVoid, opening, closing } = tagOf(tag);
  if (!isKnown) return false;
  let start = opening;
  for (const name in props) {
    const attribute = attributeOf(name);
    if (attribute.kind === "heldBack" || (isInput && attribute.isState)) continue;
    const text = formatAttribute(attribute, props[name]);
    if (text === undefined) return false;
    start += text;
  }
  target.endsInText = false;
  if (isInput) return pushInput(target, start, props);
  if (isVoid) {
    target.text += `${start}/>`;
    return true;
  }
  target.text += `${start}>`;
  const { dangerouslySetInnerHTML: inner, children } = props;
  if (isInnerHtml(inner)) target.text += inner.__html;
  else if (inner || !pushNode(target, children)) return false;
  target.text += closing;
  target.endsInText = false;
  return true;
}

function isInnerHtml(inner: unknown): inner is { __html: string } {
  return typeof inner === "object" && inner !== null && "__html" in inner && typeof inner.__html === "string";
}

/** An input's state comes last. */
function pushInput(target: Target, start: string, props: Record<string, unknown>): boolean {
  const checked = formatAttribute(attributeOf("checked"), props.checked ?? props.defaultChecked);
  const value = formatAttribute(attributeOf("value"), props.value ?? props.defaultValue);
  if (checked === undefined || value === undefined) return false;
  target.text += `${start}${checked}${value}/>`;
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
/** Properties that React writes elsewhere than in their place, or not at all. */
const heldBack = new Set([
  "children",
  "dangerouslySetInnerHTML",
  "suppressHydrationWarning",
  "defaultValue",
  "defaultChecked",
]);

/**
 * How a property is written. `start` is the attribute's text until its value, `isState` whether an input has it last.
 */
type Attribute = { kind: AttributeKind; start: string; isState: boolean };
/** `stated`: true and false are written as texts. */
type AttributeKind = "heldBack" | "unknown" | "boolean" | "stated" | "usual";

/** By the names of the properties. */
const attributes = new Map<string, Attribute>();

function attributeOf(name: string): Attribute {
  let attribute = attributes.get(name);
  if (!attribute) {
    attribute = {
      kind: kindOf(name),
      start: ` ${renamed.get(name) ?? name}="`,
      isState: name === "value" || name === "checked",
    };
    attributes.set(name, attribute);
  }
  return attribute;
}

function kindOf(name: string): AttributeKind {
  if (heldBack.has(name) || name.startsWith("on")) return "heldBack";
  if (booleans.has(name)) return "boolean";
  if (unknownNames.has(name) || !(/^[a-z-]+$/.test(renamed.get(name) ?? name) || asWritten.has(name))) return "unknown";
  return name.startsWith("aria-") || name.startsWith("data-") ? "stated" : "usual";
}

/**
 * Returns an attribute, with the space before it, as text: empty if React leaves it out, undefined if it is unknown how
 * React writes it.
 */
function formatAttribute({ kind, start, isState }: Attribute, value: unknown): string | undefined {
  if (value === null || value === undefined) return "";
  if (kind === "unknown") return undefined;
  if (kind === "boolean") {
    if (typeof value !== "boolean") return undefined;
    return value ? `${start}"` : "";
  }
  if (typeof value === "string") return `${start}${escapeHtml(value)}"`;
  if (typeof value === "boolean" && kind === "usual") return value || isState ? undefined : "";
  return typeof value === "number" || typeof value === "boolean" ? `${start}${value}"` : undefined;
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign) : text;
}
