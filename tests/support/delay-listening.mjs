import { Server } from "node:net";

/** Preloaded into the product's processes by NODE_OPTIONS: a port is bound, or found to be in use, seconds later. */
const { listen } = Server.prototype;
Server.prototype.listen = function listenLater(...args) {
  setTimeout(() => listen.apply(this, args), 5_000);
  return this;
};
