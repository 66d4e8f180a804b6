import type { PullIntegration } from "#app/domain/audiences/data-source.ts";
import { TextField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldText } from "#app/ui/form/form-values.ts";

/** The credentials of each integration, and where to find them. */
export function IntegrationFields({ integration, values, errors }: FieldsProps & { integration: PullIntegration }) {
  switch (integration) {
    case "klaviyo":
      return (
        <SecretField
          name="api_key"
          label="Private API key"
          hint="In Klaviyo, go to Settings > API keys. The key needs read access to Lists, Segments and Profiles."
          errors={errors.api_key}
        />
      );
    case "hubspot":
      return (
        <SecretField
          name="access_token"
          label="Access token"
          hint="In HubSpot, go to Settings > Integrations > Private Apps. The app needs the scopes crm.lists.read and crm.objects.contacts.read."
          errors={errors.access_token}
        />
      );
    case "salesforce":
      return (
        <>
          <TextField
            name="instance_url"
            label="Salesforce URL"
            hint="Your My Domain URL, such as https://example.my.salesforce.com"
            type="url"
            required
            defaultValue={fieldText(values, "instance_url")}
            errors={errors.instance_url}
          />
          <TextField
            name="consumer_key"
            label="Consumer key"
            hint="From a connected app that uses the client credentials flow and the api scope"
            required
            autoComplete="off"
            spellCheck={false}
            defaultValue={fieldText(values, "consumer_key")}
            errors={errors.consumer_key}
          />
          <SecretField name="consumer_secret" label="Consumer secret" errors={errors.consumer_secret} />
        </>
      );
  }
}

function SecretField(props: { name: string; label: string; hint?: string; errors?: readonly string[] }) {
  return <TextField type="password" required autoComplete="off" spellCheck={false} {...props} />;
}
