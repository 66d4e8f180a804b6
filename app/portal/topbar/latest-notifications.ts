/** A notification as the popover of the bell shows it. */
export type LatestNotifications = { id: string; title: string; line: string; isRead: boolean; when: string }[];
