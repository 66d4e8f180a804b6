/**
 * `--disable-proto=throw` makes `value.__proto__` an error, so that no input can reach a prototype by it. React's renderer
 * sets the prototype of one of its own classes so while it loads, and only then: it is loaded here, before any input. Pages
 * are made with it, and mails.
 */
export async function loadRenderer(): Promise<void> {
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
