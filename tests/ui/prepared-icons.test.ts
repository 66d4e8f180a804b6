import { ArrowLeftRight, Bell, Icon, LogOut, Megaphone, Search, X } from "lucide-react";
import { createElement, isValidElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { type IconProps, prepareIcons } from "#app/ui/prepared-icons.tsx";

const Prepared = prepareIcons(Icon);
const icons = [ArrowLeftRight, Bell, LogOut, Megaphone, Search, X];

/** Returns what an icon of the library passes to the component of all icons. */
function propsOf(icon: object, given: object): IconProps {
  const element: unknown = Reflect.get(icon, "render")(given, null);
  if (!isValidElement<IconProps>(element)) throw new Error("the icon rendered no element");
  return element.props;
}

test.each([
  { "aria-hidden": true },
  { "aria-hidden": true, className: "icon" },
  { "aria-hidden": true, className: "icon wide" },
  { "aria-hidden": true, size: 16 },
  { "aria-label": "Find" },
  {},
])("icons with %o are rendered as the library renders them, each time", (given) => {
  for (const icon of [...icons, ...icons]) {
    const props = propsOf(icon, given);
    const expected = renderToString(createElement(Icon, props));
    expect(expected).toMatch(/^<svg .*<\/svg>$/);
    expect(renderToString(createElement(Prepared, props))).toBe(expected);
  }
});
