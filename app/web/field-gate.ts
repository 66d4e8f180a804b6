/** What a form may name: far more than any form of the product has, and little enough for every parser. */
export const fieldLimits = { fields: 2_000, nameLength: 200, segments: 6, index: 500 } as const;

const path = /^[^.[\]]+(?:\.[^.[\]]+|\[\d*\])*$/;
/** Conform's control fields among them (`__intent__`, `__state__`): no form of the product has one. */
const reserved = /^(?:__|(?:constructor|prototype)$)/;

/**
 * Checks the names of one form's fields before any parser sees them. Conform reads `name[99999999]` as a list of that length
 * and `__intent__` as an edit of the form, so that a few bytes would exhaust the memory or make an error of ours.
 */
export class FieldGate {
  private count = 0;

  /** Returns why the next field is refused, in words; undefined when it may pass. Busboy's types hide that a part may lack a name. */
  refusalOf(name: string | undefined): string | undefined {
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

export function tooManyFields(most: number): string {
  return `The form has more than ${most.toLocaleString("en-US")} fields.`;
}

/** A form that is refused before it is read, thrown like any response. `fields` are those that came through. */
export class FormRefusal extends Response {
  constructor(
    readonly words: string,
    readonly fields: FormData = new FormData(),
    init: { status: number; statusText: string } = { status: 400, statusText: "Bad Request" },
  ) {
    super(words, init);
  }
}

/** Why forms that came are not taken, by their requests. */
const refusals = new WeakMap<Request, string>();

/** Has this request's form read and given back with a word on it, and not taken. */
export function refuseForm(request: Request, words: string): void {
  refusals.set(request, words);
}

/** Throws 429 with the form's fields when the request was to be refused once it is read. */
export function throwIfRefused(request: Request, fields: FormData): void {
  const words = refusals.get(request);
  if (words !== undefined) throw new FormRefusal(words, fields, { status: 429, statusText: "Too Many Requests" });
}

export function isRefused(request: Request): boolean {
  return refusals.has(request);
}

/** Whether a content type's charset, if it names one, is UTF-8: the only one that is read here. */
export function isUtf8(contentType: string): boolean {
  const [, charset] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType) ?? [];
  return charset === undefined || /^utf-?8$/i.test(charset);
}
