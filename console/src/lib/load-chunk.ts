import { isReachable } from "#api/is-reachable";

const checkMs = 2_000;

/**
 * Loads a chunk of the console. While the service is unreachable, it waits and reports that like the browser does; the router
 * would instead reload the page into the browser's error page. Throws for a chunk that no longer exists, as after an update.
 */
export async function loadChunk<Chunk>(load: () => Promise<Chunk>): Promise<Chunk> {
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
