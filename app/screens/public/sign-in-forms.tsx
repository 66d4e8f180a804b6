import { useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { Form } from "#app/ui/link.tsx";

export type SignInWays = {
  hasGoogle: boolean;
  providers: readonly { id: string; name: string }[];
  /** Whether an email address says which of them to use. */
  byEmail: boolean;
};

/** The ways to sign in: a button for each identity provider, and a field for the address that chooses one. */
export function SignInForms({ hasGoogle, providers, byEmail, email }: SignInWays & { email: string }) {
  return (
    <div className="grid gap-3">
      {hasGoogle ? (
        <ProviderForm id="google" mark={<GoogleMark />}>
          Continue with Google
        </ProviderForm>
      ) : null}
      {providers.map(({ id, name }) => (
        <ProviderForm key={id} id={id} mark={null}>
          Continue with {name}
        </ProviderForm>
      ))}
      {byEmail ? (
        <Form method="post" className="grid gap-2 mt-2">
          <TextField
            name="email"
            type="email"
            label="Work email"
            hint="Takes you to your company's sign-in"
            required
            maxLength={254}
            autoComplete="email"
            defaultValue={email}
          />
          <Button>Continue</Button>
        </Form>
      ) : null}
    </div>
  );
}

/** Starts the sign-in, which continues at the identity provider. */
function ProviderForm({ id, mark, children }: { id: string; mark: ReactNode; children: ReactNode }) {
  const [leaves, setLeaves] = useState(false);
  const isIdle = useNavigation().state === "idle";
  useEffect(() => {
    if (isIdle) setLeaves(false);
  }, [isIdle]);
  return (
    <Form method="post" onSubmit={() => setLeaves(true)}>
      {id === "google" ? null : <input type="hidden" name="provider" value={id} />}
      <button type="submit" className="button button-large google-button" aria-disabled={leaves || undefined}>
        {leaves ? <span className="spinner" aria-hidden /> : mark}
        {children}
      </button>
    </Form>
  );
}

/** In Google's colors, as its branding guidelines require. */
function GoogleMark() {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true" focusable="false">
      <path
        fill="#4285f4"
        d="M17.64 9.2c0-.64-.06-1.25-.16-1.84H9v3.48h4.84a4.14 4.14 0 0 1-1.8 2.72v2.26h2.92c1.7-1.57 2.68-3.88 2.68-6.62z"
      />
      <path
        fill="#34a853"
        d="M9 18c2.43 0 4.47-.8 5.96-2.18l-2.92-2.26c-.8.54-1.83.86-3.04.86-2.34 0-4.33-1.58-5.04-3.71H.96v2.33A9 9 0 0 0 9 18z"
      />
      <path fill="#fbbc05" d="M3.96 10.71a5.4 5.4 0 0 1 0-3.42V4.96H.96a9 9 0 0 0 0 8.08l3-2.33z" />
      <path
        fill="#ea4335"
        d="M9 3.58c1.32 0 2.5.45 3.44 1.35l2.58-2.58A9 9 0 0 0 .96 4.96l3 2.33C4.67 5.16 6.66 3.58 9 3.58z"
      />
    </svg>
  );
}
