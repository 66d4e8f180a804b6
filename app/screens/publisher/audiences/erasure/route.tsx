import type { SubmissionResult } from "@conform-to/react";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { z } from "zod";
import { eraseIdentifiers } from "#app/domain/audiences/erase-identifiers.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { invalidInput } from "#app/domain/errors.ts";
import { fieldRules } from "#app/domain/field-rules.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { FocusOnChange } from "#app/screens/shared/forms/focus-on-change.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { TextareaField } from "#app/ui/field.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { fieldText } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { formatCount, pluralize } from "#app/ui/format.ts";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleFields, readFormData, replyWithRejectedValues } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { ConfirmErasure } from "./confirm-erasure.tsx";

const maxIdentifiers = 1_000;
/** About a thousand lines, URL-encoded. */
const maxBytes = 512 * 1024;
const empty = "Enter at least one email address, phone number or hash";
const tooMany = `Enter up to ${formatCount(maxIdentifiers)} lines at a time`;
/**
 * As many lines as allowed, in a form that matches in one pass. It counts as `linesIn` does, so a browser can count
 * first.
 */
const allowedLines = new RegExp(`^[\\s,;]*(?:[^\\s,;][^\\r\\n,;]*(?:[\\r\\n,;][\\s,;]*|$)){0,${maxIdentifiers}}$`);
const formSchema = z.object({
  identifiers: z
    .string(empty)
    .register(fieldRules, { patterns: [[allowedLines, `${tooMany}. Erase a longer list in parts.`]] }),
  intent: z.enum(["erase", "change"]).optional(),
});

function linesIn(identifiers: string): string[] {
  const lines = identifiers.split(/[\r\n,;]+/).map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { base } = await requirePortalAccess(request, "publisher", context);
  return { base, checks: checksOf(formSchema) };
}

/**
 * Asks before it erases. The input is personal data: it is returned only in the uncached form response. Only the lines
 * that could not be parsed come back after an erasure; the others are already erased.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  return replyWithRejectedValues(formSchema, async () => {
    const form = await readUnlessTooLarge(request);
    return form ? eraseFrom(ctx, base, form) : data(tooLarge, { status: 413 });
  });
}

/** Returns the form's fields; undefined if they are larger than any allowed list. */
async function readUnlessTooLarge(request: Request): Promise<FormData | undefined> {
  try {
    return await readFormData(request, maxBytes);
  } catch (thrown) {
    if (thrown instanceof Response && thrown.status === 413) return undefined;
    throw thrown;
  }
}

/** What was sent is not known. With scripting it is still in the form. */
const tooLarge: SubmissionResult<string[]> = {
  status: "error",
  initialValue: {},
  error: {
    identifiers: [
      `${tooMany}. Your list is too long to be read. If it is no longer shown, go back in your browser. Then erase it in parts.`,
    ],
  },
};

async function eraseFrom(ctx: Ctx<PublisherActor>, base: PortalBase, form: FormData) {
  return handleFields(ctx, form, formSchema, async ({ identifiers, intent }, submission) => {
    if (intent === "change") return { initialValue: { identifiers }, isBack: true };
    const lines = linesIn(identifiers);
    if (lines.length === 0) throw invalidInput({ identifiers: [empty] });
    if (lines.length > maxIdentifiers) {
      throw invalidInput({ identifiers: [`${tooMany}. You entered ${formatCount(lines.length)}.`] });
    }
    if (intent !== "erase") return { initialValue: { identifiers }, lines: lines.length };
    const { erased, unreadable } = await eraseIdentifiers(ctx, { identifiers: lines });
    const done = erasedMessage(erased, lines.length - unreadable.length);
    if (unreadable.length === 0) {
      return redirectWithFlash(portalHref(base, "/audiences"), { tone: "success", message: done });
    }
    const left = unreadable.map((index) => lines[index]);
    const message = `${pluralize(left.length, "line is", "lines are")} not an email address, a phone number with country code, or a SHA-256 hash. Correct ${left.length === 1 ? "it" : "them"} and try again.`;
    const rejected = submission.reply({ fieldErrors: { identifiers: [message] } });
    return data({ ...rejected, initialValue: { identifiers: left.join("\n") }, done }, { status: 422 });
  });
}

/** `read` is the number of lines that could be parsed. */
function erasedMessage(erased: number, read: number): string {
  if (read === 0) return "";
  if (erased === 0) return "None of these people are in your audiences.";
  const absent = read - erased;
  const others = absent > 0 ? ` ${pluralize(absent, "other was", "others were")} not found.` : "";
  return `${pluralize(erased, "identifier")} erased from all your audiences.${others}`;
}

export default function ErasePeople() {
  const { base } = useLoaderData<typeof loader>();
  const response = useFormResponse<typeof action>();
  // The router forgets a response when the next request is lost, but what it asks and the list in it are on the screen.
  const [kept, keep] = useState(response);
  if (response && response !== kept) keep(response);
  const rejected = response ?? kept;
  const listHref = portalHref(base, "/audiences");
  const identifiers = fieldText(rejected?.initialValue ?? {}, "identifiers");
  const lines = rejected && "lines" in rejected ? rejected.lines : undefined;
  const isBack = rejected !== undefined && "isBack" in rejected;
  return (
    <>
      <Breadcrumbs trail={[{ to: listHref, label: "Audiences" }]} here="Erase people" />
      <PageHeader
        title={lines ? "Erase people?" : "Erase people"}
        subtitle="Removes people from all your audiences at once, including archived ones."
      />
      <FocusOnChange to={lines || isBack ? rejected : undefined}>
        {lines ? (
          <ConfirmErasure identifiers={identifiers} lines={lines} />
        ) : (
          <EraseForm key={identifiers} rejected={rejected} />
        )}
      </FocusOnChange>
    </>
  );
}

/** Keyed by response: lines that remain to be corrected are a new form. */
function EraseForm({ rejected }: { rejected: ReturnType<typeof useFormResponse<typeof action>> }) {
  const { base, checks } = useLoaderData<typeof loader>();
  const { fields, ...form } = useCheckedForm({ checks, rejected });
  const { values, errors } = fields;
  const done = rejected && "done" in rejected ? rejected.done : "";
  const busy = useIsPosting();
  return (
    <Form method="post" {...form.props} className="stack max-w-[880px]">
      <FormSummary {...form.summary}>{done ? <Notice tone="good">{done}</Notice> : null}</FormSummary>
      <Card title="People to erase">
        <TextareaField
          name="identifiers"
          label="Email addresses, phone numbers or hashes"
          hint="One per line: an email address, a phone number with country code (+1 ...), or the SHA-256 hash of either. We don't store this list; your activity shows only how many were erased."
          rows={10}
          required
          autoComplete="off"
          spellCheck={false}
          defaultValue={fieldText(values, "identifiers")}
          errors={errors.identifiers}
        />
      </Card>
      <div className="actions">
        <LinkButton to={portalHref(base, "/audiences")} variant="ghost">
          Cancel
        </LinkButton>
        <Button variant="danger" busy={busy} busyLabel="Checking...">
          Erase people
        </Button>
      </div>
    </Form>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Erase people") }];
