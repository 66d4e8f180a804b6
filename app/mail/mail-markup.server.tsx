/** @jsxRuntime automatic — the server runs this file from any folder, away from tsconfig.json. */
import { render } from "@react-email/render";
import type { ComponentProps } from "react";
import { DigestMail } from "./digest-mail.tsx";
import { NotificationMail } from "./notification-mail.tsx";

/** Renders a notification as the HTML of a mail. */
export function noticeMarkup(notification: ComponentProps<typeof NotificationMail>): Promise<string> {
  return render(<NotificationMail {...notification} />);
}

/** Renders a digest as the HTML of a mail. */
export function digestMarkup(digest: ComponentProps<typeof DigestMail>): Promise<string> {
  return render(<DigestMail {...digest} />);
}
