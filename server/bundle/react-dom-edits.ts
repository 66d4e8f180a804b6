import { cut, type FileEdits, replace, replaceAll, stub } from "./text-edits.ts";

/**
 * What React's half in the browser never does here. The package contains this code only minified; its names are those of
 * 18.3.1, the last version of React 18. `uses` tells whether the app's source contains a name.
 */
export function reactDomEdits(uses: (name: string) => boolean): Readonly<Record<string, FileEdits>> {
  const usedNames = (names: string, propertyOf: (name: string) => string) =>
    names
      .split(" ")
      .filter((name) => uses(propertyOf(name)))
      .join(" ");
  return {
    "react-dom/cjs/react-dom.production.min.js": [
      // Roots of React 17: the page's only root is hydrated, so every fiber is in concurrent mode (1).
      cut("exports.__SECRET_INTERNALS", "exports.createPortal="),
      cut("exports.createRoot=", "exports.hydrateRoot="),
      cut("exports.render=function", "exports.version="),
      replace("0===a.tag?ig(Ek.bind(null,a)):hg(Ek.bind(null,a))", "hg(Ek.bind(null,a))"),
      replaceAll(/0!==\(\w\.mode&1\)/g, "!0"),
      replaceAll(/0===\(\w\.mode&1\)/g, "!1"),
      stub("dl", "", "return Vf"),
      cut("ml.prototype.unstable_scheduleHydration=", "function nl("),
      // Context of React 15 (`contextTypes`).
      stub("Zf", "", "return!1"),
      stub("Yf", "", "return Vf"),
      replaceAll(/\|\|Wf\.current/g, ""),
      replace("&&!Wf.current", ""),
      replace("d=d.type.childContextTypes;null!==d&&void 0!==d&&$f();", ""),
      // Component stacks of errors, which consist of minified names.
      stub("Pa", "", 'return""'),
      // `onSelect`, `onBeforeInput` and `onComposition…`.
      cut("xa=d?ue(d):window;switch", "}se(g,b)"),
      cut('fa("onSelect"', "var lf="),
      // Internet Explorer, and keyboards of browsers without `event.key`.
      cut("if(ia){var xe;", "function Ae()", "we=!0;"),
      replace("var we=!1", "var we"),
      cut("key:function(a){if(a.key)", ",code:0,location:0", "key:0"),
      // `SuspenseList`.
      replace("case 19:return xj(a,b,c);", ""),
      cut("case 19:E(L);f=b.memoizedState;", "case 22:case 23:return Hj(),d="),
      cut("case 19:d=0!==(c&\nb.childLanes);", "case 22:case 23:return b.lanes=0"),
      // Attributes of SVG, events and unitless styles that the app does not use.
      replaceAll(/(?<=")accent-height [^"]+/g, (names) => usedNames(names, camelCase)),
      replaceAll(/(?<=")abort auxClick [^"]+/g, (names) => usedNames(names, eventProperty)),
      replaceAll(/(?<=var pb=\{)[^}]+/g, (names) =>
        [...names.matchAll(/\w+(?=:)/g)]
          .filter(([name]) => uses(name))
          .map(([name]) => `${name}:!0`)
          .join(),
      ),
    ],
  };
}

/** `stroke-width` is `strokeWidth` in JSX. */
function camelCase(attribute: string): string {
  return attribute.replace(/[-:](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `pointerMove` is `onPointerMove` in JSX. */
function eventProperty(event: string): string {
  return `on${event.slice(0, 1).toUpperCase()}${event.slice(1)}`;
}
