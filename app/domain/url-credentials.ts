/** The error for a URL with a user name or a password, which everyone who sees the URL would have. */
export const urlCredentialsMessage = "Remove the user name and password from the URL";

/** Returns whether a URL has a user name or a password. */
export function hasCredentials({ username, password }: Pick<URL, "username" | "password">): boolean {
  return username !== "" || password !== "";
}
