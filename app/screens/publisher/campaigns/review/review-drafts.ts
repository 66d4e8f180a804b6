import type { FormValues } from "#app/ui/form/form-values.ts";

/**
 * What a person entered in reviews whose dialogs were closed, by line item and version. Only in memory: storage of the
 * browser remains on shared machines.
 */
let drafts: { viewer: string | undefined; byVersion: Map<string, FormValues> } = {
  viewer: undefined,
  byVersion: new Map(),
};

/**
 * Returns the drafts of the person whose page it is. Those of another person, who was signed in on this page before,
 * are dropped.
 */
export function draftsOf(viewer: string | undefined): Map<string, FormValues> {
  if (drafts.viewer !== viewer) drafts = { viewer, byVersion: new Map() };
  return drafts.byVersion;
}
