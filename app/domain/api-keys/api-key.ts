import { z } from "zod";
import { requiredText } from "../text.ts";

/** `POST /api/keys`. */
export const apiKeySchema = z.object({ name: requiredText({ max: 80, message: "Name the key" }) });

/** How exactly a key's last use is known, in milliseconds. */
export const keyTouchInterval = 60 * 1000;
