import { z } from "zod";

/** What a schema refuses for reasons that a browser can check too, with the schema's own messages. */
export type FieldRules = {
  /** In code points, once the text is normalized and trimmed. */
  maxLength?: readonly [number, string];
  /** What the text must match; the first that it does not gives the message. */
  patterns?: readonly (readonly [RegExp, string])[];
  /** Of a number, which may be typed as an amount: `$ 1,200.50`. */
  min?: readonly [number, string];
  max?: readonly [number, string];
};

/**
 * The rules of schemas whose transformation hides them: `schema.register(fieldRules, rules)`. They may refuse less than
 * the schema does, and never more.
 */
export const fieldRules = /* @__PURE__ */ z.registry<FieldRules>();
