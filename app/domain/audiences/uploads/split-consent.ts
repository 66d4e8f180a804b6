import type { ConsentChanges } from "#app/domain/audiences/audience-payloads.ts";

/**
 * Splits the statement about consent that came with an upload: what it grants is true of the audience's people once the
 * upload has succeeded, and the rest counts at once. Pure.
 */
export function splitConsent(consent: ConsentChanges): Record<"granted" | "others", ConsentChanges> {
  const pick = (isGranted: boolean): ConsentChanges =>
    Object.fromEntries(
      Object.entries(consent).filter(([, status]) => status !== undefined && (status === "granted") === isGranted),
    );
  return { granted: pick(true), others: pick(false) };
}
