import { z } from "zod";
import { requiredText } from "../text.ts";

/** `POST /api/keys`. */
export const apiKeySchema = z.object({ name: requiredText({ max: 80, message: "Enter a key name" }) });

/** The maximum number of active keys of an account. Its profile page lists them all. */
export const maxApiKeys = 50;

/** The interval at which a key's last use is recorded, in milliseconds. */
export const apiKeyTouchIntervalMs = 60 * 1000;
