let userId: string | undefined;

/** The user who opened this page. Undefined until the first response of `GET /me`. */
export function expectedUserId(): string | undefined {
  return userId;
}

/** Requests from now on are refused if another user has signed in since, such as in another tab. */
export function expectUser(id: string): void {
  userId = id;
}
