import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RejectionText } from "#app/screens/advertiser/campaigns/rejection-text.tsx";

test.each([
  { reasons: "Budget too low", notes: null, text: "Budget too low. " },
  { reasons: "", notes: "Too loud", text: "“Too loud”" },
  { reasons: "Budget too low", notes: "Too loud", text: "Budget too low. “Too loud”" },
  { reasons: "", notes: null, text: "The publisher left no notes." },
])("a rejection with the reasons “$reasons” and the notes $notes says both", ({ text, ...why }) => {
  const html = renderToStaticMarkup(createElement("p", null, createElement(RejectionText, why)));
  expect(html.replace(/<[^>]+>/g, "")).toBe(text);
});
