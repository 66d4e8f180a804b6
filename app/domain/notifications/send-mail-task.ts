/** The job that sends a mail: tried so often, each time after e to the power of the attempts so far in seconds (of 22,026 at most), within a day. */
export const sendMailTask = { name: "send_mail", attempts: 12 } as const;
