import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ErrorSummary, toSummaryErrors } from "#app/ui/notice.tsx";

const render = (...input: Parameters<typeof toSummaryErrors>) =>
  renderToStaticMarkup(createElement(ErrorSummary, { errors: toSummaryErrors(...input) }));

test("an error of a field is linked to it, and one of the form is not", () => {
  const html = render({ name: ["Enter a name"], "": ["Try again"] });
  expect(html).toContain('<a class="link" href="#name">Enter a name</a>');
  expect(html).toContain("<li>Try again</li>");
  expect(html).toContain("Check these fields");
});

test("an error of a hidden field is not linked to it, and is none of a field to check", () => {
  const html = render({ amount: ["The price changed"] }, []);
  expect(html).toContain("<li>The price changed</li>");
  expect(html).not.toMatch(/<a |Check these fields/);
  expect(render({ name: ["Enter a name"], query: ["Too long"] }, ["name"]).match(/<a /g)).toHaveLength(1);
});
