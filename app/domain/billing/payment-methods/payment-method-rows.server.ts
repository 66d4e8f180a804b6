import { and, desc, eq, isNotNull } from "drizzle-orm";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError, notFound } from "#app/domain/errors.ts";
import type { AccountId, PaymentMethodId } from "#app/domain/ids.ts";
import { activePaymentProvider } from "#app/domain/payments/payment-provider-name.server.ts";
import { DecryptionError, decrypt } from "#app/encryption.server.ts";
import { accounts, paymentMethods } from "#db/schema/index.ts";
import { maxPaymentMethods } from "./payment-method.ts";

export type PaymentMethodRow = typeof paymentMethods.$inferSelect;

/** The condition for the account's payment methods that are not removed. */
export function ownMethods(ctx: Ctx<TenantActor>, id?: PaymentMethodId) {
  return and(
    eq(paymentMethods.accountId, ctx.actor.accountId),
    isNotNull(paymentMethods.token),
    id && eq(paymentMethods.id, id),
  );
}

/** Reads the row of one of the account's payment methods. Throws `not_found`. */
export async function getMethodRow(ctx: Ctx<TenantActor>, id: PaymentMethodId): Promise<PaymentMethodRow> {
  const [row] = await ctx.db.select().from(paymentMethods).where(ownMethods(ctx, id));
  if (!row) throw notFound("Payment method");
  return row;
}

/** Returns whether the current provider can charge the method. A method of another provider can only be removed. */
export function isUsable({ provider }: Pick<PaymentMethodRow, "provider">): boolean {
  return provider === activePaymentProvider();
}

/** Returns the account's default payment method; undefined when the current provider can charge none. */
export async function findDefaultMethodRow(ctx: Ctx<TenantActor>): Promise<PaymentMethodRow | undefined> {
  return findDefaultMethod(ctx, ctx.actor.accountId);
}

/** Returns the default payment method of any account, for jobs. */
export async function findDefaultMethod(
  ctx: Pick<Ctx, "db">,
  accountId: AccountId,
): Promise<PaymentMethodRow | undefined> {
  const own = and(eq(paymentMethods.accountId, accountId), isNotNull(paymentMethods.token));
  const [row] = await ctx.db
    .select()
    .from(paymentMethods)
    .where(and(own, eq(paymentMethods.isDefault, true)));
  return row && isUsable(row) ? row : undefined;
}

/**
 * Locks the account and returns its payment methods, newest first. The lock ensures that exactly one is the default.
 */
export async function lockMethods(ctx: Ctx<TenantActor>): Promise<PaymentMethodRow[]> {
  const { accountId } = ctx.actor;
  await ctx.db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  return ctx.db.select().from(paymentMethods).where(ownMethods(ctx)).orderBy(desc(paymentMethods.id));
}

/** Throws `limit_reached` when the account has as many payment methods as it may have. */
export function requireCapacity(known: readonly PaymentMethodRow[]): void {
  if (known.length < maxPaymentMethods) return;
  throw new DomainError(
    "limit_reached",
    `You've reached the limit of ${maxPaymentMethods} payment methods. Remove one first.`,
  );
}

/** Decrypts the provider's token. Throws a DecryptionError when no key of this server fits. */
export function decryptMethodToken(row: PaymentMethodRow): string {
  if (!row.token) throw notFound("Payment method");
  return decrypt(row.token, methodEncryptionContext(row));
}

/** Returns the provider's token; undefined for a removed method, and when no key of this server fits. */
export function decryptTokenIfPossible(row: PaymentMethodRow): string | undefined {
  if (!row.token) return undefined;
  try {
    return decryptMethodToken(row);
  } catch (error) {
    if (error instanceof DecryptionError) return undefined;
    throw error;
  }
}

/** The encryption context of a token: a copy in another row cannot be decrypted. */
export function methodEncryptionContext({ id, accountId }: { id: PaymentMethodId; accountId: AccountId }): string {
  return `payment_methods/${accountId}/${id}`;
}
