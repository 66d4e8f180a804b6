/** The session secret of the test processes and of their servers, so that each can read what the other signed. */
export const testSecret = "only-for-the-tests-".repeat(3);
