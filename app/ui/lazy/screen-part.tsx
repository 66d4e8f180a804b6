import { type ComponentType, useContext, useEffect, useState } from "react";
import { lazyCode } from "./lazy-code.ts";
import { PartFailure } from "./part-failure.tsx";
import { addPart, loadParts } from "./part-loads.ts";
import { PartNamesContext } from "./part-names.ts";

/**
 * A part of a screen that only some of its pages show, such as a tab or a step, with a script of its own. It may have
 * forms and links. The server renders it (`ServerPart`, undefined in the browser) and names it (`name`, that of its
 * file) in the page, which preloads its script, and is hydrated once that is loaded: if it cannot be, the page stays as
 * it is without scripting. On a page that was reached by a link, the router's transition waits for it.
 */
export function screenPart<Props extends object>(
  name: string,
  ServerPart: ComponentType<Props> | undefined,
  importPart: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  if (ServerPart) {
    return (props) => {
      useContext(PartNamesContext)?.add(name);
      return <ServerPart {...props} />;
    };
  }
  const code = lazyCode(importPart);
  addPart(name, code.load);
  return function ScreenPart(props) {
    const [, setIsLoaded] = useState(false);
    useEffect(() => {
      const load = () => {
        if (!code.Part) code.load().then(() => setIsLoaded(true), ignore);
      };
      // Loading may have failed before the part was shown.
      load();
      return loadForNextPage(load);
    }, []);
    const { Part } = code;
    if (Part) return <Part {...props} />;
    if (!code.hasFailed) throw code.load();
    return <PartFailure />;
  };
}

/**
 * Loads the other parts while the router gets another page of the same screen, and the shown one with `load` in case it
 * failed. Returns a function that ends that.
 */
function loadForNextPage(load: () => void): () => void {
  return window.__remixRouter.subscribe(({ navigation, location }) => {
    if (navigation.location?.pathname !== location.pathname) return;
    load();
    loadParts().catch(ignore);
  });
}

const ignore = () => undefined;
