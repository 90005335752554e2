/** Texts of the components that pages share. */
export const messages = {
  cancel: "Cancel",
  close: "Close",
  loading: "Loading…",
  inProgress: "In progress",
  showMore: "Show more",
  retry: "Try again",
  name: "Name",
  clearSearch: "Clear search",
  documentTitle: (title: string) => `${title} – Toolhost`,

  copy: "Copy",
  copied: "Copied",
  shownOnce: "Copy it now. It is shown only once.",

  createKey: {
    action: "Create API key",
    canRun: "The key can view and run tools. It is inserted into the snippets to copy.",
    canView: "The key can view tools. It is inserted into the snippets to copy.",
  },

  lazyPart: {
    failed: "This part of the page could not be loaded. Your changes are stored.",
    unreachable: "The service is still unreachable.",
  },

  problem: {
    line: (line: number) => `line ${line}`,
    request: (id: string) => `Request ID: ${id}`,
  },

  runStatus: {
    completed: "Completed",
    failed: "Failed",
    cancelled: "Cancelled",
    running: "Running",
    queued: "Queued",
  },

  time: {
    never: "never",
    justNow: "just now",
  },
} as const;
