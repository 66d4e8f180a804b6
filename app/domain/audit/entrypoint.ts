/** The entrypoints through which a verb can be called; stored with its audit entry. */
export const entrypoints = ["screen", "api", "test_mode", "command", "job", "seed"] as const;
export type Entrypoint = (typeof entrypoints)[number];
