/** Through which entrypoint a verb was called; kept on its audit entry. */
export const entrypoints = ["screen", "api", "test_mode", "command", "job", "seed"] as const;
export type Entrypoint = (typeof entrypoints)[number];
