import type { PageTemplate, Pieces } from "./cut-page.ts";

/**
 * Returns a module for Next.js whose client components create the elements of the template: a row, the frame and the
 * page. They are flatter than components that a person would write, which favors Next.js.
 */
export function nextPage({ head, row, foot }: PageTemplate): string {
  const before = head.join("\0").split("<body>")[1] ?? "";
  const after = foot.join("\0").split("<script")[0] ?? "";
  return `"use client";
import Link from "next/link";
import { createElement as h } from "react";
const Row = ({ v }) => ${toElements(row)};
const Frame = ({ v, rows }) => h("div", null, ${toElements(`${before}\0rows\0${after}`.split("\0"))});
export const CampaignPage = ({ frame, rows }) => h(Frame, { v: frame, rows: rows.map((v) => h(Row, { key: v.id, v })) });
`;
}

const renamed: Record<string, string> = {
  class: "className",
  for: "htmlFor",
  tabindex: "tabIndex",
  maxlength: "maxLength",
  popovertarget: "popoverTarget",
  readonly: "readOnly",
  "stroke-width": "strokeWidth",
  "stroke-linecap": "strokeLinecap",
  "stroke-linejoin": "strokeLinejoin",
  formmethod: "formMethod",
  formaction: "formAction",
};
const voidTags = new Set(["input", "img", "br", "hr", "link", "meta", "path", "circle", "rect", "line"]);

/** Translates markup with holes into calls of `createElement`. */
function toElements(pieces: Pieces): string {
  const markup = pieces.map((piece, index) => (index % 2 === 0 ? piece : `\0${piece}\0`)).join("");
  let code = "";
  for (const [token] of markup.matchAll(/<!--.*?-->|<[^>]+>|[^<]+/gs)) {
    if (token.startsWith("<!--")) continue;
    if (token.startsWith("</")) code += voidTags.has(token.slice(2, -1)) ? "" : "),";
    else if (token.startsWith("<")) code += openTag(token);
    else
      code += textOf(token)
        .map((text) => `${text},`)
        .join("");
  }
  return code.replace(/,$/, "");
}

function openTag(token: string): string {
  const [, tag = "", attributes = ""] = /^<([\w-]+)(.*?)\/?>$/s.exec(token) ?? [];
  const props = [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) =>
    propOf(tag, name, value),
  );
  const isLink = tag === "a" && /href="(?:\/|\?|\0)/.test(attributes);
  const all = [...props, ...(isLink ? ["prefetch: false"] : [])].filter(Boolean).join(", ");
  const end = voidTags.has(tag) ? "})," : "},";
  return `h(${isLink ? "Link" : JSON.stringify(tag)}, {${all}${end}`;
}

const booleans = new Set(["open", "hidden", "disabled", "required", "async", "selected"]);

function propOf(tag: string, name: string, value: string): string {
  if (name === "selected") return "";
  if (tag === "input" && name === "checked") return "defaultChecked: true";
  if (tag === "input" && name === "value" && !/type="hidden"/.test(value)) return `defaultValue: ${joined(value)}`;
  if (booleans.has(name)) return `${JSON.stringify(name)}: true`;
  return `${JSON.stringify(renamed[name] ?? name)}: ${joined(value)}`;
}

function joined(value: string): string {
  return textOf(value).join(" + ") || '""';
}

/** Texts and holes; `rows` are elements. */
function textOf(text: string): string[] {
  return text
    .split("\0")
    .map((piece, index) =>
      index % 2 === 1 ? (piece === "rows" ? "rows" : `v.${piece}`) : JSON.stringify(decode(piece)),
    )
    .filter((piece) => piece !== '""');
}

function decode(text: string): string {
  return text
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");
}
