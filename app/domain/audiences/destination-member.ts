import type { PostalAddress } from "./members/postal-address.ts";

/**
 * A hash as destinations receive it: hexadecimal, with the type of the hashed identifier as far as it is known. Of type
 * `address`, the hash is another destination's, and only the person's address is sent. Hashes of names are `latin1`
 * strings.
 */
export type DestinationMember = {
  hash: string;
  type: "email" | "phone" | "unknown" | "address";
  address?: PostalAddress | undefined;
};
