import { appName } from "../branding.ts";
import { formatInZone } from "../time-zone.ts";
import type { NotificationCopy, NotificationFacts } from "./notification.ts";

/** Describes a sign-in with a new browser to the user. Pure. */
export function describeSignIn({ device, at, company }: NotificationFacts, zone: string): NotificationCopy {
  return {
    title: "New sign-in to your account",
    lines: [
      `Someone signed in to your ${appName} account for ${company} from a new browser.`,
      "If this was you, you don't need to do anything. If not, sign out everywhere in your profile and change your Google password.",
    ],
    figures: [
      { label: "Browser", value: device ?? "Unknown" },
      { label: "Time", value: at ? formatInZone(new Date(at), zone) : "Unknown" },
    ],
    action: "View profile",
    path: "/profile",
  };
}
