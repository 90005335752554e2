import { isReachable } from "#api/is-reachable";

const checkMs = 2_000;

/**
 * Loads a part of the console. While the service cannot be reached it waits, and says so as the browser does: the router would
 * read the page anew instead, and so lead from what stands on it to the browser's own page of errors. Throws for a part that
 * is not there any more, as after an update of the service.
 */
export async function loadChunk<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (await isReachable()) throw error;
  }
  dispatchEvent(new Event("offline"));
  do await new Promise((resolve) => setTimeout(resolve, checkMs));
  while (!(await isReachable()));
  dispatchEvent(new Event("online"));
  return loadChunk(load);
}
