/** The server counts no further. */
const maxCount = 100;
const upToMax = (count: number) => (count < maxCount ? String(count) : `${maxCount}+`);

/** Texts of the webhooks pages. */
export const messages = {
  title: "Webhooks",
  notFound: {
    page: "Webhook not found",
    title: "This webhook doesn't exist",
    body: "It may have been deleted, or it belongs to another of your workspaces.",
    action: "View webhooks",
  },
  lead: "Send an event to your own server when a run ends. Private runs are never sent.",
  create: "Create webhook",
  list: "Webhooks",
  empty: {
    title: "No webhooks yet",
    body: "A webhook sends a signed HTTPS request to a URL of yours when a run completes, fails or is cancelled. Failed deliveries are retried for three days.",
  },

  events: {
    "run.completed": "Run completed",
    "run.failed": "Run failed",
    "run.cancelled": "Run cancelled",
  },
  alertEvents: {
    "alert.firing": "Alert fired",
    "alert.resolved": "Alert resolved",
    "alert.test": "Alert tested",
  },

  row: {
    disabled: "Disabled",
    healthy: "Enabled",
    failing: "Failing",
    failingSince: "Requests have failed since",
    disabledReasons: {
      gone: "Disabled because the URL responded with status 410. Enable it again to resume deliveries.",
      failing:
        "Disabled because all requests failed for three days. Enable it again to resume deliveries.",
    },
    allEvents: "All runs that end",
    ofTools: (names: readonly string[]) => `of ${names.join(", ")}`,
    withOutput: "with outputs",
    pending: (count: number) => `${upToMax(count)} pending`,
    dead: (count: number) => `${upToMax(count)} ${count === 1 ? "dead letter" : "dead letters"}`,
    deliveries: "Deliveries",
    deliveriesLabel: (name: string) => `Deliveries to ${name}`,
    menu: (name: string) => `Actions for ${name}`,
    menuButton: (name: string) => `More actions for ${name}`,
    test: "Send test event",
    edit: "Edit webhook",
    enable: "Enable webhook",
    disable: "Disable webhook",
    rotate: "Rotate secret",
    delete: "Delete webhook",
    isEnabled: "Webhook enabled",
    isDisabled: "Webhook disabled",
    testDelivered: (status: number, ms: number) =>
      `Test event delivered: status ${status} in ${ms} ms`,
    testFailed: (problem: string) => `Test event not delivered. ${problem}.`,
  },

  form: {
    createTitle: "Create webhook",
    editTitle: "Edit webhook",
    createAction: "Create webhook",
    editAction: "Save changes",
    saved: "Webhook saved",
    url: "URL",
    urlHint: "Receives POST requests with JSON. It must use HTTPS.",
    urlPlaceholder: "https://example.com/webhooks",
    description: "Description",
    descriptionHint: "Optional",
    events: "Events",
    noEvent: "Select at least one event.",
    tools: "Tools",
    toolsHint: "One name per line. Empty for all tools.",
    includeOutput: "Include outputs",
    includeOutputHint: "Events contain the output of the run if it has at most 16 KiB.",
  },

  secret: {
    createdTitle: "Webhook created",
    rotatedTitle: "Secret rotated",
    label: "Signing secret",
    use: "Verify the signature of each request with this secret.",
    overlap: "Each replaced secret also signs requests for 24 hours, at most the last 5.",
    done: "I've copied the secret",
  },

  rotate: {
    title: "Rotate the secret?",
    body: "You get a new secret. The current one also signs requests for 24 hours, so that you can replace it without losing events.",
    action: "Rotate secret",
  },

  delete: {
    title: (name: string) => `Delete the webhook to ${name}?`,
    body: "Its pending deliveries and dead letters are deleted as well.",
    action: "Delete webhook",
    deleted: "Webhook deleted",
  },

  deliveries: {
    back: "All webhooks",
    filter: "Filter by state",
    states: { all: "All", pending: "Pending", delivered: "Delivered", dead: "Dead letters" },
    list: "Deliveries",
    state: { pending: "Pending", delivered: "Delivered", dead: "Dead letter" },
    empty: {
      title: "No deliveries",
      body: "Runs that end from now on appear here. Delivered events are listed for 7 days, others for 30.",
    },
    attempts: (count: number) => (count === 1 ? "1 attempt" : `${count} attempts`),
    status: (status: number) => `status ${status}`,
    next: "next attempt",
    due: "next attempt when the webhook is available",
    created: "Created",
    run: "View run",
    hiddenRun: "Deleted or private run",
    runLabel: (id: string) => `View run ${id}`,
    requeue: "Requeue",
    requeueLabel: (id: string) => `Requeue event ${id}`,
    requeued: "Event requeued",
    requeueAll: "Requeue dead letters",
    allRequeued: "Dead letters requeued",
  },
} as const;
