/** The subject that the stand-in provider gives to an address; the seeded demo users have it too. */
export function standInSubject(email: string): string {
  return `stand-in:${email.toLowerCase()}`;
}
