const maxUncheckedMs = 1_000;

/**
 * Calls `authenticate` again if a request has taken long since it was authenticated, such as one whose body arrives slowly, or that
 * downloads or builds something.
 */
export function createRecheck(authenticate: () => Promise<unknown>): () => Promise<void> {
  const start = performance.now();
  return async () => {
    if (performance.now() - start >= maxUncheckedMs) await authenticate();
  };
}
