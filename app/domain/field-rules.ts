import { z } from "zod";

/** The rules of a schema that a browser can check too, with the schema's own messages. */
export type FieldRules = {
  /** In code points, after the text is normalized and trimmed. */
  maxLength?: readonly [number, string];
  /** Patterns that the text must match; the first one that fails determines the message. */
  patterns?: readonly (readonly [RegExp, string])[];
  /** The minimum of a number, which may be entered as an amount: `$ 1,200.50`. */
  min?: readonly [number, string];
  max?: readonly [number, string];
};

/**
 * The rules of schemas that are hidden behind a transformation: `schema.register(fieldRules, rules)`. They may be
 * looser than the schema, never stricter.
 */
export const fieldRules = /* @__PURE__ */ z.registry<FieldRules>();
