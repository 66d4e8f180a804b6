/**
 * Returns a function that returns this process's state of that name, which `create` makes on its first call. The state
 * is on globalThis, because the server and the bundle that Remix builds each have a copy of a module.
 */
export function sharedState<State extends object>(name: string, create: () => State): () => State {
  const key = Symbol.for(`endcap.${name}`);
  return () => {
    const existing: State | undefined = Reflect.get(globalThis, key);
    if (existing) return existing;
    const created = create();
    Reflect.set(globalThis, key, created);
    return created;
  };
}
