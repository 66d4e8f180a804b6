import { expect, test } from "vitest";
import { notificationEvents } from "#app/domain/notifications/notification.ts";
import { describeNotification } from "#app/domain/notifications/notification-copy.ts";

const bare = { campaignId: null, subjectId: "01900000-0000-7000-8000-000000000001", facts: { company: "Fern" } };

test("a notification without names says who and what in general words", () => {
  for (const event of notificationEvents) {
    for (const reader of ["advertiser", "publisher"] as const) {
      const { title, lines } = describeNotification({ ...bare, event }, reader);
      for (const text of [title, ...lines]) {
        expect(text, event).not.toMatch(/undefined|null|NaN|“”|\(by | \/ |\b(\w+) an? \1/i);
        expect(text, event).toMatch(/^[A-Z“$\d].*[^\s]$/);
      }
    }
  }
  const approved = { ...bare, event: "campaign_approved" } as const;
  expect(describeNotification(approved, "advertiser").title).toBe("The publisher approved “A campaign”");
  expect(describeNotification(approved, "publisher").title).toBe("The advertiser approved “A campaign”");
  expect(describeNotification({ ...bare, event: "invoice_issued" }, "advertiser").title).toBe("An invoice for $0.00");
});
