/** A hash as destinations receive it: hexadecimal, with the type of the hashed identifier as far as it is known. */
export type DestinationMember = { hash: string; type: "email" | "phone" | "unknown" };
