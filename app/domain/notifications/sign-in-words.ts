import { productName } from "../product.ts";
import { formatInZone } from "../time-zone.ts";
import type { NoticeWords, NotificationFacts } from "./notification.ts";

/** What a person reads of a sign-in with a browser that was not used before. Pure. */
export function wordsOfSignIn({ device, at, company }: NotificationFacts, zone: string): NoticeWords {
  return {
    title: "New sign-in to your account",
    lines: [
      `Somebody signed in to ${productName} as you, for ${company}, with a browser that you did not use before.`,
      "If that was you, there is nothing to do. If not, sign out everywhere on your profile, and change the password of your Google account.",
    ],
    figures: [
      { label: "Browser", value: device ?? "Unknown" },
      { label: "Time", value: at ? formatInZone(new Date(at), zone) : "Unknown" },
    ],
    action: "View profile",
    path: "/profile",
  };
}
