import { createHmac } from "node:crypto";
import { instanceKey } from "#app/instance-key.server.ts";

/** The standard deviation, in people, of the noise added to every count before rounding (docs/decisions/0021). */
export const noisePeople = 100;

const range = 2 ** 48;

/**
 * Returns a number from the standard normal distribution that is unpredictable without the instance key and constant
 * for a label.
 */
export function noiseFor(label: string): number {
  const bytes = createHmac("sha256", instanceKey("reach noise")).update(label).digest();
  const [radius, angle] = [(bytes.readUIntBE(0, 6) + 0.5) / range, bytes.readUIntBE(6, 6) / range];
  return Math.sqrt(-2 * Math.log(radius)) * Math.cos(2 * Math.PI * angle);
}
