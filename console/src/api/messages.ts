/** Texts of errors that the console words itself. */
export const messages = {
  offline: "The service can't be reached. Check your connection and try again.",
  unavailable: "The service is temporarily unavailable. Try again shortly.",
  unexpectedStatus: (status: number) => `The service returned an unexpected status: ${status}.`,
  unexpectedResponse: "The service returned an unexpected response.",
  unknown: "Something went wrong. Try again.",
  fieldError: (message: string) => `It ${message}.`,

  /** Codes of the sign-in library. */
  auth: {
    INVALID_PASSWORD: "The password is incorrect.",
    INVALID_CODE: "The code is incorrect or has expired. Enter the current code.",
    PASSWORD_TOO_SHORT: "The password must have at least 8 characters.",
    PASSWORD_TOO_LONG: "The password can have at most 200 characters.",
  },

  members: {
    service: "System",
    you: "You",
    loading: "…",
    former: (shortId: string) => `Former member (${shortId})`,
  },
} as const;
