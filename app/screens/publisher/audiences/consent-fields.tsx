import {
  type AudienceConsent,
  consentStatuses,
  consentStatusLabels,
} from "#app/domain/audiences/consent/audience-consent.ts";
import { SelectField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldText } from "#app/ui/form/form-values.ts";

const options = consentStatuses.map((value) => ({ value, label: consentStatusLabels[value] }));

/**
 * What the publisher states about the consent of people in the EEA, the UK and Switzerland. With `current`, the
 * audience's statement, the fields begin with the choice to leave it as it is.
 */
export function ConsentFields({ values, errors, current }: FieldsProps & { current?: AudienceConsent }) {
  const choices = (status: AudienceConsent[keyof AudienceConsent] | undefined) => ({
    options,
    ...(status && { emptyLabel: `No change (${consentStatusLabels[status]})` }),
  });
  const initial = current ? "" : "unspecified";
  return (
    <fieldset className="field">
      <legend>Consent of people in the EEA, the UK and Switzerland</legend>
      <div className="form-grid form-grid-2">
        <SelectField
          name="ad_user_data_consent"
          label="Use of their data for ads"
          {...choices(current?.adUserData)}
          defaultValue={fieldText(values, "ad_user_data_consent") || initial}
          errors={errors.ad_user_data_consent}
        />
        <SelectField
          name="ad_personalization_consent"
          label="Ad personalization"
          {...choices(current?.adPersonalization)}
          defaultValue={fieldText(values, "ad_personalization_consent") || initial}
          errors={errors.ad_personalization_consent}
        />
      </div>
      <p className="hint">
        Applies to everyone in the audience. If you choose “Did not consent”, the audience is not used on Google Ads; if
        you state nothing, Google Ads leaves out people in these countries. Your choice is recorded in the activity.
      </p>
    </fieldset>
  );
}
