import type { LucideIconData, LucideProps } from "lucide-react";
import { createElement, type ReactElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";

/** What the library renders an icon from; `icon` is one object for each icon. */
export type IconProps = Omit<LucideProps, "ref"> & { icon: LucideIconData };
type IconComponent = (props: IconProps) => ReactNode;

/**
 * Returns the library's component for all icons, as the server's build uses it (vite.config.ts): each icon is rendered
 * once, and its shapes are inserted as text from then on. A page has 30 icons of three elements each.
 */
export function prepareIcons(Icon: IconComponent): IconComponent {
  const prepared = new WeakMap<object, Map<string, ReactElement>>();
  return function PreparedIcon(props) {
    const { icon, className = "", "aria-hidden": isHidden, ...others } = props;
    if (!isHidden || Object.values(others).some((value) => value !== undefined)) return <Icon {...props} />;
    const byClass = prepared.get(icon) ?? new Map<string, ReactElement>();
    prepared.set(icon, byClass);
    const element = byClass.get(className) ?? toPrepared(renderToStaticMarkup(<Icon {...props} />));
    byClass.set(className, element);
    return element;
  };
}

/** Returns an element that renders to this markup: one `<svg>` with attributes, whose values need no escaping. */
function toPrepared(markup: string): ReactElement {
  const [, attributes = "", shapes = ""] = /^<svg ([^>]*)>(.*)<\/svg>$/s.exec(markup) ?? [];
  const pairs = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [
    propertyOf(name),
    value,
  ]);
  return createElement("svg", { ...Object.fromEntries(pairs), dangerouslySetInnerHTML: { __html: shapes } });
}

function propertyOf(attribute: string): string {
  if (attribute === "class") return "className";
  return attribute.startsWith("aria-")
    ? attribute
    : attribute.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
}
