/** @jsxRuntime automatic — the server runs this file from any folder, away from tsconfig.json. */
import { render } from "@react-email/render";
import type { ComponentProps } from "react";
import { DigestMail } from "./digest-mail.tsx";
import { NotificationMail } from "./notification-mail.tsx";

/** A notice as a mail's HTML. */
export function noticeMarkup(notice: ComponentProps<typeof NotificationMail>): Promise<string> {
  return render(<NotificationMail {...notice} />);
}

/** A digest as a mail's HTML. */
export function digestMarkup(digest: ComponentProps<typeof DigestMail>): Promise<string> {
  return render(<DigestMail {...digest} />);
}
