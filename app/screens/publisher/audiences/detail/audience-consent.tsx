import { type AudienceConsent, consentStatusLabels } from "#app/domain/audiences/consent/audience-consent.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Card, DescriptionList } from "#app/ui/page-header.tsx";

type Stated = {
  adUserDataConsent: AudienceConsent["adUserData"];
  adPersonalizationConsent: AudienceConsent["adPersonalization"];
  consentStatedAt: Date | null;
  consentStatedBy: string | null;
  consentStatedByKey: string | null;
};

/** Returns an audience's statement about consent. */
export function consentOf({ adUserDataConsent, adPersonalizationConsent }: Stated): AudienceConsent {
  return { adUserData: adUserDataConsent, adPersonalization: adPersonalizationConsent };
}

/** What the publisher states about consent, since when and by whom, and what it means (`use`). */
export function AudienceConsentCard({
  audience,
  use,
  editHref,
}: {
  audience: Stated;
  use: string;
  editHref: string | undefined;
}) {
  const consent = consentOf(audience);
  const { consentStatedAt: at, consentStatedBy: person, consentStatedByKey: key } = audience;
  const by = person ?? (key && `API key “${key}”`);
  return (
    <Card title="Consent" aside={editHref ? <LinkButton to={editHref}>Change consent</LinkButton> : null}>
      <DescriptionList
        facts={[
          { label: "Use of data for ads", value: consentStatusLabels[consent.adUserData] },
          { label: "Ad personalization", value: consentStatusLabels[consent.adPersonalization] },
          ...(at ? [{ label: "Stated", value: `${formatDate(at)}${by ? ` by ${by}` : ""}` }] : []),
        ]}
      />
      <p className="hint mt-4">Of people in the EEA, the UK and Switzerland. {use}</p>
    </Card>
  );
}
