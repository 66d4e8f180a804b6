import { cut, type FileEdits } from "./text-edits.ts";

/**
 * An icon of this app has a class at most: it is drawn at its own size, in the color and width that the style sheet says. The
 * library's component has options for all of these, and a context. The server renders with that one (app/ui/prepared-icons.tsx).
 */
export const iconEdits: Readonly<Record<string, FileEdits>> = {
  "lucide-react/dist/esm/createLucideIcon.mjs": [
    cut("import { forwardRef", "function createLucideIcon", 'import { createElement } from "react";\n'),
    cut(
      'const iconData = typeof iconDataOrName === "string"',
      "return Component;",
      `const { name, node } = iconDataOrName;
  const own = "lucide lucide-" + name;
  const Component = ({ className, ...props }) => createElement("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    width: 24,
    height: 24,
    viewBox: "0 0 24 24",
    fill: "none",
    stroke: "currentColor",
    strokeWidth: 2,
    strokeLinecap: "round",
    strokeLinejoin: "round",
    "aria-hidden": "true",
    className: className ? own + " " + className : own,
    ...props
  }, ...node.map(([tag, attributes]) => createElement(tag, attributes)));
  `,
    ),
  ],
};
