/** Texts of the alerts pages. */
export const messages = {
  title: "Alerts",
  notFound: {
    page: "Alert not found",
    title: "This alert doesn't exist",
    body: "It may have been deleted, or it belongs to another of your workspaces.",
    action: "View alerts",
  },
  lead: "Get notified by email, in a chat or at a webhook when tools fail, stop running, or lose a credential.",
  create: "Create alert",
  list: "Alerts",
  empty: {
    title: "No alerts yet",
    body: "An alert checks a condition every minute, and notifies once when it fires and once when it is resolved. Private runs don't count.",
  },

  states: { ok: "OK", firing: "Firing", resolved: "Resolved" },
  disabled: "Disabled",
  notChecked: "Not checked yet",
  conditions: {
    failure_rate: (percent: number, minutes: number, runs: number) =>
      `More than ${percent}% of runs failed in ${minutes} minutes, with at least ${runs === 1 ? "1 run" : `${runs} runs`}`,
    no_success: (hours: number) =>
      hours === 1 ? "No completed run in 1 hour" : `No completed run in ${hours} hours`,
    credential: (days: number) =>
      `An API key or connection expires within ${days === 1 ? "1 day" : `${days} days`}`,
  },
  ofTool: (name: string, condition: string) => `${name}: ${condition}`,

  row: {
    history: "History",
    historyLabel: (name: string) => `History of ${name}`,
    menu: (name: string) => `Actions for ${name}`,
    menuButton: (name: string) => `More actions for ${name}`,
    test: "Send test notification",
    edit: "Edit alert",
    enable: "Enable alert",
    disable: "Disable alert",
    delete: "Delete alert",
    isEnabled: "Alert enabled",
    isDisabled: "Alert disabled",
    tested: "Test notification sent. The history shows its deliveries.",
  },

  delete: {
    title: (name: string) => `Delete the alert ${name}?`,
    body: "Its history is no longer available. Pending notifications are still delivered.",
    action: "Delete alert",
    deleted: "Alert deleted",
  },

  form: {
    createTitle: "Create alert",
    editTitle: "Edit alert",
    createAction: "Create alert",
    editAction: "Save changes",
    created: "Alert created",
    saved: "Alert saved",
    name: "Name",
    condition: "Condition",
    kinds: {
      failure_rate: "Failure rate",
      no_success: "No successful run",
      credential: "API key or connection expires",
    },
    percent: "Failed runs (%)",
    percentHint: "Fires above this share.",
    windowMinutes: "Window (minutes)",
    windowHint: "5 to 1440, and longer than a run takes.",
    minRuns: "Minimum runs",
    hours: "Hours without a completed run",
    days: "Days before it expires",
    daysHint:
      "Also fires if a connection of the workspace must be reconnected or fails to refresh.",
    tool: "Tool",
    toolHint: "One that all members can see, or all tools.",
    recipients: "Recipients",
    noRecipients: "Choose at least one recipient.",
    people: "Email",
    webhooks: "Webhooks",
    chats: "Chats",
    channel: (chat: string) => `Channel ID in ${chat}`,
    channelHint:
      "Empty for no message; commas separate several. The bot must be a member of the channel.",
    formerChat: "Channel ID in a disconnected chat",
    formerWebhook: (id: string) => `Deleted webhook (${id.slice(-6)})`,
    quiet: "Quiet hours",
    quietHint: "Notifications during these hours are sent when they end.",
    start: "Start",
    end: "End",
    timeZone: "Time zone",
  },

  history: {
    back: "All alerts",
    failedRuns: "View failed runs",
    list: "Notifications",
    empty: {
      title: "No notifications yet",
      body: "When the alert fires or is resolved, the notification appears here with its deliveries for 90 days.",
    },
    types: { firing: "Fired", resolved: "Resolved", test: "Test" },
    delivery: {
      emailToYou: "Email to you",
      email: (who: string) => `Email to ${who}`,
      chat: (channel: string) => `Chat message in ${channel}`,
      webhook: (host: string) => `Webhook ${host}`,
    },
    waits: (time: string) => `Quiet hours until ${time}`,
    nextAttempt: (time: string) => `Next attempt: ${time}`,
    quietHours: (start: string, end: string, timeZone: string) =>
      `Quiet hours ${start}–${end}, ${timeZone}`,
    deliveryStates: { pending: "Pending", delivered: "Delivered", dead: "Not delivered" },
    noDeliveries: "No deliveries",
  },
} as const;
