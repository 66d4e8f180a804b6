import { cut, type FileEdits, replace, replaceAll, stub } from "./text-edits.ts";

/**
 * What React's half in the browser never does here. The package contains this code only minified; its names are those
 * of 18.3.1, the last version of React 18. `uses` tells whether the app's source contains a name, as it is or in lower
 * case.
 */
export function reactDomEdits(uses: (name: string) => boolean): Readonly<Record<string, FileEdits>> {
  const usedNames = (names: string, propertyOf: (name: string) => string) =>
    names
      .split(" ")
      .filter((name) => uses(propertyOf(name)))
      .join(" ");
  const isHeard = (event: string) => everywhere.test(event) || uses(event) || uses(`on${event}`);
  const usedCases = (cases: string) =>
    [...cases.matchAll(/case "(\w+)":/g)]
      .filter(([, event = ""]) => isHeard(event))
      .map(([text]) => text)
      .join("");
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
      // Hooks that neither the app nor its packages call.
      replaceAll(
        /use(?:ImperativeHandle|InsertionEffect|DebugValue|DeferredValue|Transition|MutableSource):\w\w?,/g,
        "",
      ),
      cut("useImperativeHandle:function(", "useLayoutEffect:function("),
      cut("useInsertionEffect:function(", "useMemo:function("),
      cut("useDeferredValue:function(a){return Th()", "useSyncExternalStore:function("),
      cut("useDeferredValue:function(a){var b=Uh();return ui(", "useSyncExternalStore:Zh"),
      cut("useDeferredValue:function(a){var b=Uh();return null===", "useSyncExternalStore:Zh"),
      // Component stacks of errors and names in their texts, which are minified.
      stub("Pa", "", 'return""'),
      stub("Ra", "", "return null"),
      // Checks of elements and names of attributes, which development does too.
      cut("var tb=A(", "function ub("),
      stub("ub", "", ""),
      stub("oa", "", "return!0"),
      stub("vb", "a", 'return a.includes("-")'),
      // Class components have no methods of React 16.
      replaceAll(/"function"!==typeof (\w)\.UNSAFE_(\w+)&&"function"!==typeof \1\.\2/g, "!0"),
      stub("Hi", "", ""),
      // The selection in an element that can be edited and is no field.
      cut("else if(a=(b=c.ownerDocument||document)", "b=[];for(a=c;a=a.parentNode;)"),
      cut("else a:{c=(c=a.ownerDocument)", "c=c||{start:0,end:0}"),
      // Properties of events that no listener of React reads.
      cut("relatedTarget:function(a){", "movementX:", "relatedTarget:0,"),
      cut("movementX:function(a){", "}),Bd=rd(", "movementX:0"),
      cut("Gd=A({},sd,{animationName:", "Md={Esc:"),
      cut("charCode:function(a){return", "}),Rd=rd(", "keyCode:0"),
      cut("Ud=A({},ud,{touches:", "$d=["),
      replace('case "keypress":if(0===od(c))break a;', ""),
      cut('case "touchcancel":case "touchend":case "touchmove"', 'case "gotpointercapture"'),
      // Animations and transitions.
      cut("function Ve(a,b)", "df=new Map", "var "),
      cut('ff($e,"onAnimationEnd");', 'ff("dblclick"'),
      replace('ff(cf,"onTransitionEnd");', ""),
      // `onSelect`, `onBeforeInput` and `onComposition…`.
      cut("xa=d?ue(d):window;switch", "}se(g,b)"),
      cut('fa("onSelect"', "var lf="),
      // Internet Explorer, and keyboards of browsers without `event.key`.
      cut("if(ia){var xe;", "function Ae()", "we=!0;"),
      replace("var we=!1", "var we"),
      cut("key:function(a){if(a.key)", ",code:0,location:0", "key:0"),
      cut('nb=function(a){return"undefined"!==typeof MSApp', "function ob(", "nb=function(a,b){a.innerHTML=b};"),
      cut("if(ia)try{var Mb={};", "function Nb(", "Lb=!0;"),
      // `SuspenseList`.
      replace("case 19:return xj(a,b,c);", ""),
      cut("case 19:E(L);f=b.memoizedState;", "case 22:case 23:return Hj(),d="),
      cut("case 19:d=0!==(c&\nb.childLanes);", "case 22:case 23:return b.lanes=0"),
      // Attributes of SVG, events and unitless styles that the app does not use.
      replaceAll(/(?<=")accent-height [^"]+/g, (names) => usedNames(names, camelCase)),
      cut('"xlink:actuate ', '["tabIndex","crossOrigin"]'),
      cut("z.xlinkHref=", '["src","href",'),
      cut('["autoReverse",', '"allowFullScreen '),
      replaceAll(/(?<=")allowFullScreen [^"]+/g, (names) => usedNames(names, (name) => name)),
      replaceAll(/(?<=")abort auxClick [^"]+/g, (names) => usedNames(names, eventProperty)),
      replaceAll(/(?<=function jd\(a\)\{switch\(a\)\{)(?:case "\w+":)+/g, usedCases),
      replaceAll(/(?<=return 1;)(?:case "\w+":)+(?=return 4)/g, usedCases),
      replaceAll(/(?<=")mousedown mouseup [^"]+/g, (events) => events.split(" ").filter(isHeard).join(" ")),
      replaceAll(/(?<=var pb=\{)[^}]+/g, (names) =>
        [...names.matchAll(/\w+(?=:)/g)]
          .filter(([name]) => uses(name))
          .map(([name]) => `${name}:!0`)
          .join(),
      ),
    ],
  };
}

/** Events from which React makes others, and the router's. */
const everywhere = /^(?:(?:mouse|pointer)(?:out|over)|focus(?:in|out)|selectionchange|change|dblclick|popstate)$/;

/** `stroke-width` is `strokeWidth` in JSX. */
function camelCase(attribute: string): string {
  return attribute.replace(/[-:](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `pointerMove` is `onPointerMove` in JSX. */
function eventProperty(event: string): string {
  return `on${event.slice(0, 1).toUpperCase()}${event.slice(1)}`;
}
