import { otherViewerStatus } from "#app/ui/form/other-viewer.ts";
import { checkViewer } from "./form-viewer.ts";

/** Limits on field names: far above any form of the product, and low enough for every parser. */
export const fieldLimits = { fields: 2_000, nameLength: 200, segments: 6, index: 500 } as const;

const path = /^[^.[\]]+(?:\.[^.[\]]+|\[\d*\])*$/;
/** Includes conform's control fields (`__intent__`, `__state__`), which no form of the product has. */
const reserved = /^(?:__|(?:constructor|prototype)$)/;

/**
 * Checks the field names of a form before any parser reads them. Conform parses `name[99999999]` as a list of that
 * length and `__intent__` as an edit of the form, so a few bytes could exhaust memory or cause an internal error.
 */
export class FieldGate {
  private count = 0;

  /**
   * Returns why the next field is rejected, as a message; undefined if it is accepted. Busboy's types do not show that
   * a part may lack a name.
   */
  checkName(name: string | undefined): string | undefined {
    this.count += 1;
    if (this.count > fieldLimits.fields) return tooManyFields(fieldLimits.fields);
    if (name === undefined) return "The form has a field without a name.";
    if (name.length > fieldLimits.nameLength) {
      return `The name of a field is longer than ${fieldLimits.nameLength} characters.`;
    }
    if (!path.test(name)) return "The name of a field cannot be read.";
    const segments = name.split(/[.[]/);
    if (segments.length > fieldLimits.segments) {
      return `The name of a field has more than ${fieldLimits.segments} parts.`;
    }
    if (segments.some((segment) => reserved.test(segment))) return "The form has a field that no form here has.";
    if (segments.some((segment) => segment.endsWith("]") && Number.parseInt(segment, 10) > fieldLimits.index)) {
      return `A list in the form goes beyond ${fieldLimits.index}.`;
    }
    return undefined;
  }
}

export function tooManyFields(maxFields: number): string {
  return `The form has more than ${maxFields.toLocaleString("en-US")} fields.`;
}

/**
 * A form that is rejected before it is processed, thrown like any response. `fields` are the accepted ones, `field` is
 * the one that the message is about; empty for the whole form.
 */
export class FormRejection extends Response {
  readonly field: string;

  constructor(
    readonly message: string,
    readonly fields: FormData = new FormData(),
    { field = "", ...init }: { status: number; statusText: string; field?: string } = badRequest,
  ) {
    super(message, init);
    this.field = field;
  }
}

const badRequest = { status: 400, statusText: "Bad Request" };

/** The message for each request whose form is to be rejected. */
const rejectionMessages = new WeakMap<Request, string>();

/** Marks the request's form as rejected: it is read and returned with the message, but not processed. */
export function markFormRejected(request: Request, message: string): void {
  rejectionMessages.set(request, message);
}

/** Throws 412 or 429 with the form's fields if the request's form is to be rejected. */
export function throwIfFormRejected(request: Request, fields: FormData): void {
  const otherViewer = checkViewer(request, fields);
  if (otherViewer !== undefined) {
    throw new FormRejection(otherViewer, fields, { status: otherViewerStatus, statusText: "Precondition Failed" });
  }
  const message = rejectionMessages.get(request);
  if (message !== undefined) throw new FormRejection(message, fields, { status: 429, statusText: "Too Many Requests" });
}

/** Whether the form is to be rejected, as far as the fields that have arrived say so. */
export function isFormRejected(request: Request, fields: FormData): boolean {
  return rejectionMessages.has(request) || checkViewer(request, fields) !== undefined;
}

/** Whether a content type's charset, if present, is UTF-8, the only supported one. */
export function isUtf8(contentType: string): boolean {
  const [, charset] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType) ?? [];
  return charset === undefined || /^utf-?8$/i.test(charset);
}
