import type { Program } from "#app/domain/audiences/data-source.ts";
import { TextField } from "#app/ui/field.tsx";
import { type FieldsProps, textOf } from "#app/ui/form/form-values.ts";

/** What each program gives to those who may read its people, and where it is found over there. */
export function ProgramFields({ program, values, errors }: FieldsProps & { program: Program }) {
  switch (program) {
    case "klaviyo":
      return (
        <SecretField
          name="api_key"
          label="Private API key"
          hint="In Klaviyo under Settings, API keys. It needs read access to Lists, Segments and Profiles."
          errors={errors.api_key}
        />
      );
    case "hubspot":
      return (
        <SecretField
          name="access_token"
          label="Access token"
          hint="Of a private app, in HubSpot under Settings, Integrations. It needs the scopes crm.lists.read and crm.objects.contacts.read."
          errors={errors.access_token}
        />
      );
    case "salesforce":
      return (
        <>
          <TextField
            name="instance_url"
            label="Address of your organisation"
            hint="Its My Domain, such as https://example.my.salesforce.com"
            type="url"
            required
            defaultValue={textOf(values, "instance_url")}
            errors={errors.instance_url}
          />
          <TextField
            name="consumer_key"
            label="Consumer key"
            hint="Of a connected app with the client credentials flow and the scope api"
            required
            autoComplete="off"
            spellCheck={false}
            defaultValue={textOf(values, "consumer_key")}
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
