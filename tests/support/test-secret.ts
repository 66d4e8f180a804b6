/** The session secret of the tests' own processes and of the servers that they start, so that each reads what the other signed. */
export const testSecret = "only-for-the-tests-".repeat(3);
