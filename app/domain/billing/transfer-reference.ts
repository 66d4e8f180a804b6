import { invalidInput } from "../errors.ts";

/** The longest reference; those of banks have up to 35 characters. */
const maxReferenceLength = 200;

/**
 * Returns a bank's reference of a transfer without the spaces around it. Throws `invalid_input` for one that is empty or too
 * long. Pure.
 */
export function readTransferReference(input: string): string {
  const reference = input.trim();
  if (reference !== "" && reference.length <= maxReferenceLength) return reference;
  const message = `Enter the bank's reference, at most ${maxReferenceLength} characters`;
  throw invalidInput({ reference: [message] }, message);
}
