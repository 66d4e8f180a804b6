import type { AccountId, UserId } from "../ids.ts";
import type { AccountStatus, AccountType } from "./account.ts";

/** `timeZone` is the one that the person chose for times. */
type Person = { id: UserId; email: string; name: string; picture: string | null; timeZone: string };

/** A signed-in user with an account. */
export type RegisteredViewer = Person & {
  userType: AccountType;
  status: AccountStatus;
  companyName: string;
  accountId: AccountId;
};

/** A signed-in user without an account. */
type Newcomer = Person & { userType: "pending"; status: "pending"; companyName: null; accountId: null };

/** The user who sends this request. */
export type Viewer = RegisteredViewer | Newcomer;
