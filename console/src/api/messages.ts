/** Texts of errors that the console words itself. */
export const messages = {
  offline: "The service can't be reached. Check your connection and try again.",
  sessionEnded: "Your session has ended. Sign in again in another tab, then try again here.",
  unavailable: "The service is temporarily unavailable. Try again shortly.",
  unexpectedStatus: (status: number) => `The service returned an unexpected status: ${status}.`,
  unexpectedResponse: "The service returned an unexpected response.",
  unknown: "Something went wrong. Try again.",
  fieldError: (message: string) => `It ${message}.`,

  members: {
    service: "System",
    you: "You",
    loading: "…",
    former: (shortId: string) => `Former member (${shortId})`,
  },
} as const;
