import type { AccountId, UserId } from "../ids.ts";
import type { AccountStatus, AccountType } from "./account.ts";

type Person = { id: UserId; email: string; name: string; picture: string | null };

/** Signed in, and registered: a person of one tenant. */
export type Member = Person & {
  userType: AccountType;
  status: AccountStatus;
  companyName: string;
  accountId: AccountId;
};

/** Signed in, not registered yet. */
type Newcomer = Person & { userType: "pending"; status: "pending"; companyName: null; accountId: null };

/** Who sends this request. */
export type Viewer = Member | Newcomer;
