/** A notification as the popover of the bell shows it. `at` is its time, ISO 8601, `when` the same in words. */
export type LatestNotifications = {
  id: string;
  title: string;
  line: string;
  isRead: boolean;
  when: string;
  at: string;
}[];
