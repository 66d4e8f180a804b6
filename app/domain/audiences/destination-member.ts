/** A hash as a destination gets it: hexadecimal, and what it is a hash of as far as that is known. */
export type DestinationMember = { hash: string; type: "email" | "phone" | "unknown" };
