import type { AppLoadContext } from "@remix-run/node";
import { viewerField } from "#app/ui/form/viewer-field.ts";

type FormViewer = { id: string; email: string };

/** The person who is signed in, for each request that a screen admitted. */
const viewers = new WeakMap<Request, { viewer: FormViewer; context: AppLoadContext | undefined }>();

/** Whose page a rejected form was on. The loaders that show it again have other requests, but the same context. */
const senders = new WeakMap<AppLoadContext, string>();

/**
 * Expects that the request's form comes from a page of this person. A form of a page that was opened before another
 * person signed in, in another tab, is read and returned with a message, but not processed.
 */
export function expectViewer(request: Request, viewer: FormViewer, context: AppLoadContext | undefined): void {
  viewers.set(request, { viewer, context });
}

/**
 * Returns the message of a form that comes from another person's page, as far as the fields that have arrived say so. A
 * form without the field comes from a program, or from a page of an earlier version.
 */
export function checkViewer(request: Request, fields: FormData): string | undefined {
  const { viewer, context } = viewers.get(request) ?? {};
  const sender = fields.get(viewerField);
  if (viewer === undefined || sender === null || sender === viewer.id) return undefined;
  if (context) senders.set(context, String(sender));
  return `This form belongs to another account, so nothing was changed. You are signed in as ${viewer.email}. To use this account, leave this page and open it again.`;
}

/**
 * Returns whose id the forms of a page have: that of the person who is signed in. After a form of another person's page
 * was rejected, its values are shown again with that person's id, so that it is rejected again.
 */
export function viewerOfForms(viewer: FormViewer, context: AppLoadContext): string {
  return senders.get(context) ?? viewer.id;
}
