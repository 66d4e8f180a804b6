import { parseId } from "#app/domain/ids.ts";

const kinds = { account: "a", user: "b", audience: "d", product: "e" } as const;

/** The same id on each start; older than any id made later, so that the demo tenants come first. */
export function demoId<T extends NonNullable<ReturnType<typeof parseId>>>(kind: keyof typeof kinds, number: number): T {
  const id = parseId<T>(`01900000-0000-7000-8000-${kinds[kind]}${number.toString(16).padStart(11, "0")}`);
  if (!id) throw new Error("a demo id is a UUID");
  return id;
}
