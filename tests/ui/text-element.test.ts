import { Children, createElement, isValidElement, type ReactElement, type ReactNode } from "react";
import { expect, test } from "vitest";
import { PortalLayout, type PortalLayoutProps } from "#app/portal/portal-layout.tsx";
import { renderMarkup } from "#app/ui/table/render-markup.ts";
import { TextElement } from "#app/ui/text-element.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

const frame: PortalLayoutProps = {
  portal: "publisher",
  mode: "live",
  base: "/publisher",
  viewer: {
    id: "ana",
    name: "Ana <i>",
    email: "ana@example.com",
    companyName: "Fern & Field",
    timeZone: "America/New_York",
  },
  pendingApprovals: 3,
  unread: 120,
  flash: undefined,
  bannerDismissed: false,
  singleKeys: true,
};

type Part = { as: string; ours: string | undefined; children: ReactNode };

/** Adds the parts of the layout that are written as text. */
function Layout({ parts }: { parts: Part[] }) {
  for (const { props } of textElementsIn(PortalLayout({ ...frame, children: null }))) {
    parts.push({ ...props, ours: renderMarkup(props.children) });
  }
  return null;
}

type Found = ReactElement<{ as: string; children: ReactNode }>;

function textElementsIn(node: ReactNode): Found[] {
  return Children.toArray(node).flatMap((child) => {
    if (!isValidElement<{ as: string; children: ReactNode }>(child)) return [];
    return child.type === TextElement ? [child] : textElementsIn(child.props.children);
  });
}

test("the sidebar and the top bar are written as text, as React renders them", async () => {
  const parts: Part[] = [];
  await renderInRouter("/shop/campaigns", createElement(Layout, { parts }));
  expect(parts.map(({ as }) => as)).toEqual(["aside", "header"]);
  for (const { ours, children } of parts) {
    expect(ours).toContain('href="/publisher/dashboard"');
    expect(ours).toBe(await renderInRouter("/shop/campaigns", children));
  }
});
