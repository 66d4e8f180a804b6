/** How long a session lives: unused, and at all; and how exactly its last use is known. Milliseconds. */
export const sessionIdle = 12 * 60 * 60 * 1000;
export const sessionLife = 7 * 24 * 60 * 60 * 1000;
export const sessionTouchInterval = 60 * 1000;
