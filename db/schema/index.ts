export * from "./accounts.ts";
export * from "./audience-connections.ts";
export * from "./audience-members.ts";
export * from "./audiences.ts";
export * from "./audit.ts";
export * from "./billing.ts";
export * from "./campaigns.ts";
export * from "./catalog.ts";
