/** What a publisher states about the consent of an audience's people in the EEA, the UK and Switzerland. Pure. */
export const consentStatuses = ["unspecified", "granted", "denied"] as const;
export type ConsentStatus = (typeof consentStatuses)[number];

export const consentStatusLabels: Record<ConsentStatus, string> = {
  unspecified: "Not stated",
  granted: "Consented",
  denied: "Did not consent",
};

/** `adUserData`: their data may be used for ads. `adPersonalization`: ads may be personalized for them. */
export type AudienceConsent = { adUserData: ConsentStatus; adPersonalization: ConsentStatus };

export const noConsentStated: AudienceConsent = { adUserData: "unspecified", adPersonalization: "unspecified" };

/**
 * Where a channel that asks for consent uses an audience. `everywhere`: both consents are given. `outside_eea`: one is
 * missing, so the people in the EEA, the UK and Switzerland are left out. `nowhere`: one is denied, and the channel
 * does not get the audience.
 */
export type ConsentUse = "everywhere" | "outside_eea" | "nowhere";

/** Returns where a channel that asks for consent uses an audience with this statement. */
export function consentUse({ adUserData, adPersonalization }: AudienceConsent): ConsentUse {
  if (adUserData === "denied" || adPersonalization === "denied") return "nowhere";
  return adUserData === "granted" && adPersonalization === "granted" ? "everywhere" : "outside_eea";
}

/** Whether two statements are the same; null is no statement at all, not even that there is none. */
export function isSameConsent(one: AudienceConsent | null, other: AudienceConsent | null): boolean {
  if (!one || !other) return one === other;
  return one.adUserData === other.adUserData && one.adPersonalization === other.adPersonalization;
}

/** Whether `now` withdraws a consent that `before` gave. */
export function isConsentWithdrawn(before: AudienceConsent, now: AudienceConsent): boolean {
  return (
    (before.adUserData === "granted" && now.adUserData !== "granted") ||
    (before.adPersonalization === "granted" && now.adPersonalization !== "granted")
  );
}
