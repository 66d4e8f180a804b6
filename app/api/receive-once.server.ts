import { DomainError } from "#app/domain/errors.ts";
import type { Multipart } from "#app/web/multipart.server.ts";
import type { ApiRequest } from "./auth.server.ts";
import { markReplayed } from "./idempotency-key.ts";

type Sent = { isNew: boolean; contentHash: string | undefined; refusal: DomainError | undefined };

/**
 * Receives the files of a form whose work was reserved with its key, unless the request is a repetition. `compare`
 * keeps what was sent and the refusal that it got, or compares a repetition with that and returns the refusal of the
 * first, which the repetition gets too. `receive` calls `compareSent` before the files have an effect: the request may
 * do the work again.
 */
export async function receiveOnce(
  apiRequest: ApiRequest,
  {
    multipart,
    run,
    receive,
    compare,
  }: {
    multipart: Multipart;
    /** Which run of the work this request has to do; none as a repetition. */
    run: number | undefined;
    receive: (run: number, compareSent: () => Promise<unknown>) => Promise<void>;
    compare: (sent: Sent) => Promise<DomainError | undefined>;
  },
): Promise<void> {
  const isNew = run !== undefined;
  const compareSent = async (refusal?: DomainError) =>
    compare({ isNew, refusal, contentHash: await multipart.contentHash() });
  let refusal: DomainError | undefined;
  try {
    if (isNew) await receive(run, compareSent);
  } catch (error) {
    if (error instanceof DomainError) refusal = error;
    throw error;
  } finally {
    refusal = await compareSent(refusal);
  }
  if (refusal) throw refusal;
  if (!isNew) markReplayed(apiRequest);
}
