/** Texts for the error codes of the sign-in library. */
export const messages = {
  INVALID_PASSWORD: "The password is incorrect.",
  INVALID_CODE: "The code is incorrect or has expired. Enter the current code.",
  PASSWORD_TOO_SHORT: "The password must have at least 8 characters.",
  PASSWORD_TOO_LONG: "The password can have at most 200 characters.",
} as const;
