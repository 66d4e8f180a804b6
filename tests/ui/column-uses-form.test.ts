import { type ComponentProps, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { ColumnUsesForm } from "#app/screens/publisher/audiences/upload-columns/column-uses-form.tsx";

vi.mock("@remix-run/react", async (original) => ({
  ...(await original<object>()),
  useLocation: () => ({ pathname: "/publisher/audiences", search: "", key: "page" }),
  useNavigation: () => ({ state: "idle" }),
  Form: (props: ComponentProps<"form">) => createElement("form", props),
  Link: ({ to, prefetch: _, ...rest }: ComponentProps<"a"> & { to: string; prefetch?: string }) =>
    createElement("a", { href: to, ...rest }),
}));

const column = { name: "Contact", use: "email" as const, detected: "email" as const, samples: [] };
const screen = { headerless: false, phoneCountry: "", countries: [], checks: {}, back: "/publisher/audiences" };

test.each([
  ["the only column of a file", [column], "ignored"],
  ["each of several columns", [column, { ...column, name: "Other" }], ["ignored", "ignored"]],
])("a rejected form keeps the use that was chosen of %s", (_, columns, sent) => {
  const rejected = { status: "error" as const, initialValue: { columns: sent }, error: { columns: ["Choose one"] } };
  const html = renderToStaticMarkup(createElement(ColumnUsesForm, { ...screen, columns, rejected }));
  expect(html.match(/value="ignored" selected=""/g)).toHaveLength(columns.length);
  expect(html).not.toContain('value="email" selected=""');
});
