import { Form as RemixForm, Link as RemixLink, useFetcher } from "@remix-run/react";
import { type ComponentProps, createElement, Fragment } from "react";
import { expect, test } from "vitest";
import { Form, Link, SharedPageAction, useFormFetcher } from "#app/ui/link.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

const links: ComponentProps<typeof RemixLink>[] = [
  { to: "/", children: "Home" },
  { to: "/shop/items/1?tab=all&page=2#top", className: "row-link", title: 'a "b"', prefetch: "intent" },
  { to: "/shop/export.csv", "aria-label": "Export", target: "_blank", preventScrollReset: true, replace: true },
  { to: "?", children: "Reset" },
  { to: "?sort=name", prefetch: "intent", state: { from: "list" } },
  { to: "?sort=name#rows" },
  { to: "#rows" },
  { to: "/shop?" },
  { to: "/shop//items/../orders/" },
  { to: "items" },
  { to: ".." },
  { to: "." },
  { to: { pathname: "/shop", search: "?a=1" } },
  { to: "https://other.example/page" },
  { to: "//other.example/page" },
  { to: "mailto:a@b.example" },
  { to: "/shop", reloadDocument: true },
  { to: "/shop", discover: "none", relative: "path" },
  { to: "/shöp/café" },
];

test.each(["/shop", "/shop/items?cursor=1", "/shop/items/"])(
  "links at %s are rendered as Remix renders them",
  async (path) => {
    for (const props of links) {
      const ours = await renderInRouter(path, createElement(Link, props));
      expect(ours).toBe(await renderInRouter(path, createElement(RemixLink, props)));
    }
  },
);

const forms: ComponentProps<typeof RemixForm>[] = [
  {},
  { method: "post", className: "wide", preventScrollReset: true, children: createElement("small") },
  { method: "POST", action: "/shop/items?x=1", role: "search", "aria-label": "Find", replace: true },
  { method: "get", action: "/shop", reloadDocument: true, onSubmit: () => undefined },
  { method: "delete", action: "." },
  { action: "?index", navigate: false, fetcherKey: "one" },
  { action: "items", relative: "path", encType: "multipart/form-data", discover: "none" },
  { action: "https://other.example/" },
];

test.each(["/shop", "/shop/items?cursor=1&q=%C3%BC", "/shop/items?index"])(
  "forms at %s are rendered as Remix renders them",
  async (path) => {
    for (const props of forms) {
      const expected = await renderInRouter(path, createElement(RemixForm, props));
      expect(await renderInRouter(path, createElement(Form, props))).toBe(expected);
      const shared = createElement(SharedPageAction, null, createElement(Form, props));
      expect(await renderInRouter(path, shared)).toBe(expected);
    }
  },
);

function OurFetcher() {
  return createElement(useFormFetcher({ key: "row" }).Form, { method: "post", preventScrollReset: true });
}

function RemixFetcher() {
  return createElement(useFetcher({ key: "row" }).Form, { method: "post", preventScrollReset: true });
}

test("a fetcher's form is rendered as Remix renders it", async () => {
  const expected = await renderInRouter("/shop?cursor=1", createElement(RemixFetcher));
  expect(expected).toContain("<form");
  expect(await renderInRouter("/shop?cursor=1", createElement(OurFetcher))).toBe(expected);
  expect(await renderInRouter("/shop?cursor=1", createElement(SharedPageAction, null, createElement(OurFetcher)))).toBe(
    expected,
  );
});

test("several links and forms share one page action", async () => {
  const page = (One: typeof Form | typeof RemixForm) =>
    createElement(
      SharedPageAction,
      null,
      createElement(Fragment, null, createElement(One), createElement(One, { method: "post" })),
    );
  expect(await renderInRouter("/shop/a?b=c", page(Form))).toBe(await renderInRouter("/shop/a?b=c", page(RemixForm)));
});
