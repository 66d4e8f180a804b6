import { parseId } from "#app/domain/ids.ts";

const kinds = { account: "a", user: "b", audience: "d", product: "e" } as const;

/** Returns the same id on each start; it sorts before any generated id, so that the demo accounts come first. */
export function demoId<T extends NonNullable<ReturnType<typeof parseId>>>(kind: keyof typeof kinds, number: number): T {
  const id = parseId<T>(`01900000-0000-7000-8000-${kinds[kind]}${number.toString(16).padStart(11, "0")}`);
  if (!id) throw new Error("demo id is not a UUID");
  return id;
}
