/** How long a worker may take to accept a connection, in milliseconds; one that hangs never does. */
export const workerConnectMs = 3_000;

/**
 * The list of a SELECT that makes a transaction's connections to workers its own (docs/decisions/0107): Citus would
 * wait without end for the response of a worker on a connection that it has kept. Without Citus it changes nothing.
 */
export const ownWorkerConnections = `set_config('citus.max_cached_conns_per_worker', '0', true), set_config('citus.node_connection_timeout', '${workerConnectMs}', true)`;
