import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { z } from "zod";
import { eraseIdentifiers } from "#app/domain/audiences/erase-identifiers.server.ts";
import { invalidInput } from "#app/domain/errors.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Attention } from "#app/screens/shared/attention.tsx";
import { formStateOf } from "#app/screens/shared/campaign-fields/form-values.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { TextareaField } from "#app/ui/field.tsx";
import { formatNumberOf } from "#app/ui/format.ts";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/layout.tsx";
import { ErrorSummary, summaryOf } from "#app/ui/notice.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";

const most = 1_000;
const formSchema = z.object({ identifiers: z.string("Enter at least one address, phone or hash") });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { base } = await enterPortal(request, "publisher", context);
  return { base };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  return submitForm(request, formSchema, async ({ identifiers }) => {
    const lines = identifiers
      .split(/[\r\n,;]+/)
      .map((line) => line.trim())
      .filter((line) => line !== "");
    if (lines.length === 0) throw invalidInput({ identifiers: ["Enter at least one address, phone or hash"] });
    if (lines.length > most)
      throw invalidInput({ identifiers: [`Enter at most ${formatNumberOf(most, "line")} at once`] });
    const { erased, unreadable } = await eraseIdentifiers(ctx, { identifiers: lines });
    const unread =
      unreadable.length > 0
        ? ` ${formatNumberOf(unreadable.length, "line")} could not be read: they are no address, phone with a country code, or SHA-256 hash.`
        : "";
    return redirectWithFlash(portalHref(base, "/audiences"), {
      tone: unreadable.length > 0 ? "error" : "success",
      message: `${formatNumberOf(erased, "identifier")} found and erased from all your audiences.${unread}`,
    });
  });
}

export default function ErasePeople() {
  const { base } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { errors } = formStateOf(refused, {});
  const busy = useNavigation().state === "submitting";
  const listHref = portalHref(base, "/audiences");
  return (
    <>
      <Breadcrumbs trail={[{ to: listHref, label: "Audiences" }]} here="Erase people" />
      <PageHeader title="Erase people" subtitle="They leave all your audiences at once, archived ones too." />
      <Form method="post" noValidate className="stack max-w-[880px]">
        <Attention to={refused}>
          <ErrorSummary errors={summaryOf(errors)} />
        </Attention>
        <Card title="Who">
          <TextareaField
            name="identifiers"
            label="Addresses, phones or hashes"
            hint="One a line: an e-mail address, a phone with its country code (+1 …), or the SHA-256 hash of either by any destination's rule. Nothing of it is kept; the history says only how many."
            rows={10}
            required
            autoComplete="off"
            spellCheck={false}
            errors={errors.identifiers}
          />
        </Card>
        <div className="actions justify-end">
          <LinkButton to={listHref} variant="ghost">
            Cancel
          </LinkButton>
          <Button variant="danger" busy={busy} busyLabel="Erasing...">
            Erase
          </Button>
        </div>
      </Form>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Erase people") }];
