import { type AudienceConsent, type ConsentUse, consentUse } from "#app/domain/audiences/consent/audience-consent.ts";

/** Returns what a statement about consent means for the channel that asks for it. */
export function consentUseCopy(consent: AudienceConsent): string {
  return copy[consentUse(consent)];
}

const copy: Record<ConsentUse, string> = {
  everywhere: "Google Ads can use everyone in this audience.",
  outside_eea: "Google Ads leaves out people in the EEA, the UK and Switzerland until both are “Consented”.",
  nowhere:
    "Google Ads uses nobody who did not consent. This audience is not uploaded to Google Ads, and what is there is removed. Other channels can use it.",
};
