/**
 * The idle timeout and the maximum age of a session, and the interval at which its last use is recorded. In
 * milliseconds.
 */
export const sessionIdleTimeoutMs = 12 * 60 * 60 * 1000;
export const sessionMaxAgeMs = 7 * 24 * 60 * 60 * 1000;
export const sessionTouchIntervalMs = 60 * 1000;
