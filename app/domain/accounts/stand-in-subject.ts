/** The subject that the stand-in identity provider assigns to an email address; seeded demo users have the same. */
export function standInSubject(email: string): string {
  return `stand-in:${email.toLowerCase()}`;
}
