import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { z } from "zod";
import { eraseIdentifiers } from "#app/domain/audiences/erase-identifiers.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { invalidInput } from "#app/domain/errors.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { TextareaField } from "#app/ui/field.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { textOf } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { formatCount, formatNumberOf } from "#app/ui/format.ts";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { giveBackRefused, readForm, submitFields } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";

const most = 1_000;
/** A thousand lines, encoded. */
const mostBytes = 512 * 1024;
const empty = "Enter at least one address, phone or hash";
const formSchema = z.object({ identifiers: z.string(empty) });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { base } = await enterPortal(request, "publisher", context);
  return { base, checks: checksOf(formSchema) };
}

/**
 * What was typed is addresses of people: it goes back in the answer to the form alone, which nobody keeps. Lines that cannot be read
 * come back by themselves, to be mended; the others are done.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const eraseRead = async () => eraseFrom(ctx, base, await readForm(request, mostBytes));
  return giveBackRefused(formSchema, eraseRead);
}

async function eraseFrom(ctx: Ctx<PublisherActor>, base: PortalBase, form: FormData) {
  return submitFields(form, formSchema, async ({ identifiers }, submission) => {
    const lines = identifiers
      .split(/[\r\n,;]+/)
      .map((line) => line.trim())
      .filter((line) => line !== "");
    if (lines.length === 0) throw invalidInput({ identifiers: [empty] });
    if (lines.length > most) {
      throw invalidInput({
        identifiers: [`Enter at most ${formatCount(most)} lines at once; these are ${formatCount(lines.length)}`],
      });
    }
    const { erased, unreadable } = await eraseIdentifiers(ctx, { identifiers: lines });
    const done = wordsOfErased(erased, lines.length - unreadable.length);
    if (unreadable.length === 0) {
      return redirectWithFlash(portalHref(base, "/audiences"), { tone: "success", message: done });
    }
    const left = unreadable.map((index) => lines[index]);
    const words = `${formatNumberOf(left.length, "line is", "lines are")} left that cannot be read as an e-mail address, a phone with its country code, or a SHA-256 hash`;
    const refused = submission.reply({ fieldErrors: { identifiers: [words] } });
    return data({ ...refused, initialValue: { identifiers: left.join("\n") }, done }, { status: 422 });
  });
}

/** Of those that could be read. */
function wordsOfErased(erased: number, read: number): string {
  if (read === 0) return "";
  if (erased === 0) return "None of these people is in your audiences.";
  const absent = read - erased;
  const others = absent > 0 ? ` ${formatNumberOf(absent, "other was", "others were")} in none of them.` : "";
  return `${formatNumberOf(erased, "identifier")} found and erased from all your audiences.${others}`;
}

export default function ErasePeople() {
  const { base } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const listHref = portalHref(base, "/audiences");
  return (
    <>
      <Breadcrumbs trail={[{ to: listHref, label: "Audiences" }]} here="Erase people" />
      <PageHeader title="Erase people" subtitle="They leave all your audiences at once, archived ones too." />
      <EraseForm key={textOf(refused?.initialValue ?? {}, "identifiers")} />
    </>
  );
}

/** Lines that are left to be mended are a new form. */
function EraseForm() {
  const { base, checks } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { fields, ...form } = useCheckedForm({ checks, refused });
  const { values, errors } = fields;
  const done = refused && "done" in refused ? refused.done : "";
  const busy = useNavigation().state === "submitting";
  return (
    <Form method="post" {...form.props} className="stack max-w-[880px]">
      <FormSummary {...form.summary}>{done ? <Notice tone="good">{done}</Notice> : null}</FormSummary>
      <Card title="Who">
        <TextareaField
          name="identifiers"
          label="Addresses, phones or hashes"
          hint="One a line: an e-mail address, a phone with its country code (+1 …), or the SHA-256 hash of either by any destination's rule. Nothing of it is kept; the history says only how many."
          rows={10}
          required
          autoComplete="off"
          spellCheck={false}
          defaultValue={textOf(values, "identifiers")}
          errors={errors.identifiers}
        />
      </Card>
      <div className="actions justify-end">
        <LinkButton to={portalHref(base, "/audiences")} variant="ghost">
          Cancel
        </LinkButton>
        <Button variant="danger" busy={busy} busyLabel="Erasing...">
          Erase
        </Button>
      </div>
    </Form>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Erase people") }];
