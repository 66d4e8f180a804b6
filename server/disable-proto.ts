/**
 * `--disable-proto=throw` makes `value.__proto__` an error, so that no input can reach a prototype through it. React's
 * renderer sets the prototype of one of its classes this way while it loads, and only then, so it is loaded here,
 * before any input. Pages and mails use it.
 */
export async function preloadRenderer(): Promise<void> {
  const forbidden = Object.getOwnPropertyDescriptor(Object.prototype, "__proto__");
  Object.defineProperty(Object.prototype, "__proto__", {
    configurable: true,
    set(prototype: object) {
      Object.setPrototypeOf(this, prototype);
    },
  });
  await import("react-dom/server");
  if (forbidden) Object.defineProperty(Object.prototype, "__proto__", forbidden);
}
