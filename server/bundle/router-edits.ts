import { cut, type FileEdits, replace, replaceAll, stub } from "./text-edits.ts";

/** Constants that Remix always passes to the router: all flags are on, the app is at the root, in a browser. */
const constants: FileEdits = [
  replaceAll(/\bfuture\.v7_\w+/g, "true"),
  replace('init.basename || "/"', '"/"'),
  stub("stripBasename", "pathname", "return pathname"),
  replace('if (prependBasename && basename !== "/") {', "if (false) {"),
  replace('init.window ? init.window : typeof window !== "undefined" ? window : undefined', "window"),
  cut("const isBrowser = ", "const isServer", "const isBrowser = true;"),
  stub("warning", "", ""),
  replace(' + ("The lazy route property \\"" + lazyRouteProperty + "\\" will be ignored.")', ""),
];

/** Routes that are discovered on navigation, or replaced by hot reloading: a page has all routes of its mount. */
const routesFoundLater: FileEdits = [
  replace(
    "let patchRoutesOnNavigationImpl = init.patchRoutesOnNavigation;",
    "const patchRoutesOnNavigationImpl = undefined;",
  ),
  replaceAll(/if \(isFogOfWar\) \{/g, "if (false) {"),
  replaceAll(/!isFogOfWar\b/g, "true"),
  cut("let fogOfWar = checkFogOfWar(matches, routesToUse, location.pathname);", "// Short circuit with a 404"),
  cut("let fogOfWar = checkFogOfWar(matches, routesToUse, normalizedPath);", "if (!matches) {"),
  replace("fogOfWar.active = false;", ""),
  replaceAll(/fogOfWar\.active, /g, "false, "),
  replace("if (initialMatches && !init.hydrationData) {", "if (false) {"),
  cut("let fogOfWar = checkFogOfWar(null,", "} else if (initialMatches.some(", "}"),
  replace("let initialMatchesIsFOW = false;", "const initialMatchesIsFOW = false;"),
  replace(
    "matchRoutesImpl(routes, locationArg, basename, allowPartial) {",
    "matchRoutesImpl(routes, locationArg, basename) {const allowPartial = false;",
  ),
  replace(
    "matchRouteBranch(branch, pathname, allowPartial) {",
    "matchRouteBranch(branch, pathname) {let allowPartial = false;",
  ),
  replace("let inFlightDataRoutes;", "const inFlightDataRoutes = undefined;"),
  cut("if (inFlightDataRoutes) {", "if (isUninterruptedRevalidation)"),
  replace("inFlightDataRoutes = convertRoutesToDataRoutes(newRoutes, mapRouteProperties, undefined, manifest);", ""),
  replace("    patchRoutes,\n", ""),
  replace("    _internalActiveDeferreds: activeDeferreds,\n", ""),
  replace("    _internalSetRoutes\n  };", "  };"),
  replace("    dispose,\n", ""),
];

/** Data that `defer` sends later: with single fetch a response arrives whole, and no loader of the app defers. */
const deferredData: FileEdits = [
  stub("isDeferredResult", "", "return false"),
  stub("isDeferredData", "", "return false"),
  stub("cancelActiveDeferreds", "", "return []"),
  replaceAll(/let activeDeferreds = new Map\(\);/g, "const activeDeferreds = undefined;"),
  replace("activeDeferreds.forEach((deferredData, routeId) => {", "[].forEach((deferredData, routeId) => {"),
  replace("let cancelledDeferredRoutes = [];", "const cancelledDeferredRoutes = [];"),
  replace("    cancelledDeferredRoutes = [];\n", ""),
  replace("cancelledDeferredRoutes.push(...cancelActiveDeferreds());", ""),
  replace(" || cancelledDeferredRoutes.some(id => id === match.route.id)", ""),
  cut("await Promise.all([resolveNavigationDeferredResults(", "return {\n      loaderResults,"),
];

/** View transitions, and forms that are sent as plain text or JSON: no link and no form of the app asks for them. */
const unusedOptions: FileEdits = [
  replace("let pendingViewTransitionEnabled = false;", "const pendingViewTransitionEnabled = false;"),
  replace("pendingViewTransitionEnabled = (opts && opts.enableViewTransition) === true;", ""),
  replace("    pendingViewTransitionEnabled = false;\n", ""),
  replace("let priorPaths = appliedViewTransitions.get(state.location.pathname);", "let priorPaths;"),
  replace("} else if (appliedViewTransitions.has(location.pathname)) {", "} else if (false) {"),
  stub("restoreAppliedTransitions", "", ""),
  stub("persistAppliedTransitions", "", ""),
  cut("let _saveAppliedTransitions = ", "}\n    // Kick off initial data load"),
  replace('if (opts.formEncType === "text/plain") {', "if (false) {"),
  replace('} else if (opts.formEncType === "application/json") {', "} else if (false) {"),
  replace('if (formEncType === "application/json") {', "if (false) {"),
  replace('} else if (formEncType === "text/plain") {', "} else if (false) {"),
];

/** What the browser's router never does here, by file. */
export const routerEdits: Readonly<Record<string, FileEdits>> = {
  "@remix-run/router/dist/router.js": [...constants, ...routesFoundLater, ...deferredData, ...unusedOptions],
  "react-router/dist/index.js": [
    replace("return isDataRoute ? useNavigateStable() : useNavigateUnstable();", "return useNavigateStable();"),
    replace("React.createElement(DefaultErrorComponent, null);", "null;"),
    replace("if (locationArg) {", "if (false) {"),
    replace("if (locationArg && renderedMatches) {", "if (false) {"),
    replace('if (basename === "/") {', "if (true) {"),
    replace('if (basename !== "/") {', "if (false) {"),
    replace('let basename = basenameProp.replace(/^\\/*/, "/");', 'const basename = "/";'),
    replace("if (dataRouterContext && dataRouterContext.static && ", "if (false && "),
    replace('if (typeof locationProp === "string") {', "if (false) {"),
  ],
  "react-router-dom/dist/index.js": [
    cut("let [pendingState, setPendingState]", "let fetcherData = React.useRef("),
    cut("if (v7_startTransition) {", "}, [v7_startTransition]);", "startTransitionImpl(cb);"),
    cut(
      "let isViewTransitionUnavailable =",
      "}, [router.window, transition,",
      "optInStartTransition(() => setStateImpl(newState));",
    ),
    replace("[router.window, transition, renderDfd, fetcherData, optInStartTransition]", "[optInStartTransition]"),
    cut("// When we start a view transition, create a Deferred", "let navigator = React.useMemo("),
    // The elements around the routes stay as they are on the server: React derives ids from them.
    replace("React.createElement(ViewTransitionContext.Provider, {\n    value: vtContext\n  }, ", "("),
    replace(
      "React.useEffect(() => UNSAFE_logV6DeprecationWarnings(future, router.future), [future, router.future]);",
      "",
    ),
    replace('let basename = router.basename || "/";', 'const basename = "/";'),
    replace('if (basename !== "/") {', "if (false) {"),
    replace('getKey && basename !== "/" ?', "false ?"),
  ],
};
