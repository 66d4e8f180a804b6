import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/**
 * Texts that the specification defines verbatim, in the parts that the code writes. A copy edit must not change them.
 */
const texts = [
  "TEST MODE: You're viewing the",
  "portal in development mode.",
  "Dev Testing Panel",
  "Continue with Google",
  "Authenticating...",
  "We're setting up your account. This will just take a moment.",
  "Welcome!",
  "Redirecting you to get started...",
  "Authentication Failed",
  "Authentication failed",
  "Return Home",
  "Complete Your Advertiser Profile",
  "Complete Your Publisher Profile",
  "Setting up your account...",
  "Registration failed",
  "You'll be automatically redirected in",
  "Review and approve advertiser campaigns",
  "No campaigns found",
  "No campaigns match the current filter",
  "Campaign Details",
  "All locations",
  "Approval Notes (Optional)",
  "Add notes for the advertiser...",
  "Manage campaigns using your audiences",
  "No authorization code provided",
  "Access denied. This portal is for",
  "Your account is pending approval. Please contact support.",
  "Failed to fetch user: API responded with HTTP status",
  "Failed to exchange code for session token: API responded with HTTP status",
  "Failed to logout",
  "Failed to load user data",
  "No transactions yet",
  "No active subscription",
  "No payment methods",
  "Add a payment method to start using the platform",
  "Setup takes 1-2 business days",
  "Hashed e-mail addresses (SHA-256)",
];

test("the texts of the specification are in the code literally", () => {
  const root = join(import.meta.dirname, "../../app");
  const code = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n")
    .replaceAll('{" "}', " ")
    .replaceAll(/\s+/g, " ");
  expect(texts.filter((text) => !code.includes(text))).toEqual([]);
});
