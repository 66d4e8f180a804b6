import { cut, type FileEdits, replace, replaceAll, stub } from "./text-edits.ts";

const folder = "@remix-run/react/dist/esm";
const singleFetch = replaceAll(/(window\.__remixContext\.)?\bfuture\.v3_singleFetch\b/g, "true");

/**
 * What Remix's half in the browser never does here: it fetches in one request (`v3_singleFetch`), knows all routes of
 * its mount (no `v3_lazyRouteDiscovery`), is no single-page app, and is not reloaded while it runs. Other flags are
 * those of remix.config.js. `Scripts` and `ScrollRestoration` write their text on the server only.
 */
export const remixEdits: Readonly<Record<string, FileEdits>> = {
  [`${folder}/browser.js`]: [
    singleFetch,
    replaceAll(/window\.__remixContext\.isSpaMode/g, "false"),
    replaceAll(/window\.__remixContext\.future\.v3_(?:fetcherPersist|relativeSplatPath)\b/g, "true"),
    // The page has the state, unless there are errors (entry.server.tsx).
    replace("if (true) {\n      // Note:", "if (!window.__remixContext.state) {\n      // Note:"),
    replace("router.createRoutesForHMR = createClientRoutesWithHMRRevalidationOptOut;", ""),
  ],
  [`${folder}/components.js`]: [
    singleFetch,
    replace("if (isSpaMode && !isHydrated) {", "if (false) {"),
    replace("let enableFogOfWar = isFogOfWarEnabled(future, isSpaMode);", "const enableFogOfWar = false;"),
    cut("let serializePreResolvedErrorImp = ", "let deferredScripts = [];"),
    replace("let deferredScripts = [];", "const deferredScripts = undefined;"),
    cut(
      "var _manifest$hmr;",
      'return /*#__PURE__*/React.createElement(React.Fragment, null, /*#__PURE__*/React.createElement("script", _extends({}, props, {',
      'const contextScript = " ", routeModulesScript = " ";',
    ),
    cut('if (!isStatic && typeof __remixContext === "object" && __remixContext.a) {', "let routePreloads = "),
    replace('if (prefetch === "viewport") {', "if (false) {"),
    stub("getDiscoverAttr", "", ""),
    // A hovered link fetches its screen's scripts. `modulepreload` links would make a failure permanent.
    cut(
      "let moduleHrefs = ",
      ";",
      "React.useEffect(() => { window.fetchScripts(getModuleLinkHrefs(newMatchesForAssets, manifest)).catch(() => {}) }, [newMatchesForAssets, manifest])",
    ),
    cut("moduleHrefs.map(", "keyedPrefetchLinks.map("),
  ],
  [`${folder}/routeModules.js`]: [
    replace(
      "let routeModule = await import(",
      "await window.fetchScripts([route.module, ...(route.imports || [])]);\n    let routeModule = await import(",
    ),
  ],
  [`${folder}/links.js`]: [singleFetch],
  [`${folder}/fog-of-war.js`]: [
    stub("isFogOfWarEnabled", "", "return false"),
    stub("getPatchRoutesOnNavigationFunction", "", ""),
    stub("useFogOFWarDiscovery", "", ""),
  ],
  [`${folder}/data.js`]: [
    replace(
      "if (contentType && /\\bapplication\\/json\\b/.test(contentType)) {\n      init.headers",
      "if (false) {\n      init.headers",
    ),
    replace("} else if (contentType && /\\btext\\/plain\\b/.test(contentType)) {", "} else if (false) {"),
  ],
  [`${folder}/single-fetch.js`]: [
    // In place of a failed request, a response with the data that the screen has (app/web/lost-requests).
    replace(
      "let res = await fetch(url, init);",
      "let res = await fetch(url, init);\n  if (res.decoded) return { status: res.status, data: res.decoded };",
    ),
    replace(
      'typeof window === "undefined" ? "server://singlefetch/" : window.location.origin',
      "window.location.origin",
    ),
  ],
  [`${folder}/scroll-restoration.js`]: [
    cut("let restoreScroll = (", 'return /*#__PURE__*/React.createElement("script"', 'const restoreScroll = "";'),
  ],
  [`${folder}/errorBoundaries.js`]: [
    cut("let heyDeveloper = ", "if (isRouteErrorResponse(error)) {", "const heyDeveloper = null;"),
  ],
  [`${folder}/routes.js`]: [
    singleFetch,
    replaceAll(/\bif \(isSpaMode\)/g, "if (false)"),
    replace('return isSpaMode && route.id !== "root" || ', "return "),
    replace('(!isSpaMode || route.id === "root")', "true"),
    replace('route.id === "root" ? RemixRootDefaultHydrateFallback : undefined', "undefined"),
    // The root has its own.
    cut(
      'route.id === "root" ? () => /*#__PURE__*/React.createElement(RemixRootDefaultErrorBoundary',
      ';\n  if (route.id === "root" && routeModule.Layout)',
      "undefined",
    ),
    cut('if (typeof singleFetch === "function") {', "function fetchServerLoader(", "return await singleFetch();\n}"),
    replace("if (needsRevalidation) {", "if (false) {"),
    stub("preventInvalidServerHandlerCall", "", ""),
  ],
};
