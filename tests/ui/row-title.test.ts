import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RowTitle } from "#app/ui/table/row-title.tsx";

test.each([undefined, "/advertiser/campaigns/1"])(
  "a row's name has a tooltip where it may be cut, and none elsewhere",
  (to) => {
    const shown = (name: string) => renderToStaticMarkup(createElement(RowTitle, { name, to }));
    expect(shown("Summer Sale")).not.toContain("title=");
    expect(shown("Alpine Touring Preview")).toContain('title="Alpine Touring Preview"');
  },
);
