import { useSyncExternalStore } from "react";

const subscribe = () => () => undefined;

/** Returns whether scripting runs: false in the server's page and until it is alive. */
export function useScripting(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
