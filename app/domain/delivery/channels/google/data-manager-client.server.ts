import { z } from "zod";
import { serviceApis } from "#app/outbound/service-apis.ts";
import type { GoogleCredentials } from "../channel-credentials.ts";
import { ChannelError, describeChannelProblem } from "../channel-problem.ts";
import type { GoogleAccess } from "./google-access.server.ts";

const dataManagerOrigin = "https://datamanager.googleapis.com";
const { label, version } = serviceApis.googleDataManager;

type DataManagerRequest = {
  method: "GET" | "POST" | "DELETE";
  /** Relative to the version, with the query. */
  path: string;
  body?: unknown;
  tries?: number;
};

/** Google's Data Manager API, for one Google Ads account. */
export type DataManagerClient = {
  /** The resource name of the account. */
  account: string;
  send: <S extends z.ZodType>(request: DataManagerRequest, schema: S) => Promise<z.output<S>>;
  /** Sends a request and returns Google's time of the response, in milliseconds since 1970. */
  readTime: (request: DataManagerRequest) => Promise<number>;
  /** Returns the destination of members: a user list of the account, by its ID. */
  destinationOf: (userListId: string) => object;
};

/**
 * Creates a client of the Data Manager API. See developers.google.com/data-manager/api: Configure destinations, and the
 * REST reference. The refresh token needs the scope https://www.googleapis.com/auth/datamanager.
 */
export function createDataManagerClient(
  access: GoogleAccess,
  { customer_id, login_customer_id }: GoogleCredentials,
  origin = dataManagerOrigin,
): DataManagerClient {
  const accountType = "GOOGLE_ADS";
  const ask = <S extends z.ZodType>({ method, path, body, tries }: DataManagerRequest, schema: S) => {
    const url = new URL(`/${version}/${path}`, origin);
    const headers = {
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(login_customer_id && { "login-account": `accountTypes/${accountType}/accounts/${login_customer_id}` }),
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return access({ label, url, method, headers, tries, ...sent }, schema);
  };
  return {
    account: `accountTypes/${accountType}/accounts/${customer_id}`,
    send: async (request, schema) => (await ask(request, schema)).value,
    async readTime(request) {
      const { headers } = await ask(request, z.object({}));
      const time = Date.parse(headers.date ?? "");
      if (Number.isFinite(time)) return time;
      throw new ChannelError(describeChannelProblem(label, "unexpected_response"), { problem: "unexpected_response" });
    },
    destinationOf: (productDestinationId) => ({
      operatingAccount: { accountType, accountId: customer_id },
      ...(login_customer_id && { loginAccount: { accountType, accountId: login_customer_id } }),
      productDestinationId,
    }),
  };
}
