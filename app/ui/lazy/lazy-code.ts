import type { ComponentType } from "react";
import { isPageHydrated } from "./page-hydration.ts";

export type LazyCode<Props> = {
  /** The component, once its script is loaded. */
  Part: ComponentType<Props> | undefined;
  /** Whether loading failed the last time. */
  hasFailed: boolean;
  /** Loads the script, once. Rejects if that fails; the next call tries again. */
  load: () => Promise<ComponentType<Props>>;
};

/** Returns code that `importPart` loads: at once if its screen was reached by a link, else when `load` is called. */
export function lazyCode<Props>(importPart: () => Promise<ComponentType<Props>>): LazyCode<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  const code: LazyCode<Props> = {
    Part: undefined,
    hasFailed: false,
    load: () => {
      loading ??= importPart().then(
        (Part) => {
          code.Part = Part;
          code.hasFailed = false;
          return Part;
        },
        (error) => {
          loading = undefined;
          code.hasFailed = true;
          throw error;
        },
      );
      return loading;
    },
  };
  if (isPageHydrated()) code.load().catch(() => undefined);
  return code;
}
