/** The texts of emails about webhooks. */
export const messages = {
  disabledEmail: (
    to: string,
    url: string,
    { host, reason }: { host: string; reason: "gone" | "failing" },
  ) => ({
    to,
    subject: `Webhook to ${host} disabled`,
    lines: [
      reason === "gone"
        ? `We disabled a webhook to ${host} because it responded that it no longer exists (status 410).`
        : `We disabled a webhook to ${host} because all requests to it failed for three days.`,
      "Pending events are stored for 30 days. Fix or delete the webhook, then enable it again to receive them:",
      url,
    ],
  }),
};
