import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { listBudgetErrors } from "#app/screens/shared/campaigns/budget/list-budget-errors.ts";
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

test("an error of a field that the form of budgets lacks leads to the page that has it", () => {
  const errors = {
    budget: ["Too low"],
    selected_audiences: ["No longer available"],
    version: ["Changed"],
    "": ["Try again"],
  };
  expect(listBudgetErrors(errors, "/advertiser/campaigns/1/edit")).toEqual([
    { message: "Too low", href: "#budget" },
    { message: "No longer available", href: "/advertiser/campaigns/1/edit?step=3#selected_audiences" },
    { message: "Changed", href: undefined },
    { message: "Try again", href: undefined },
  ]);
});
