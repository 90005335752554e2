import type { Send } from "./send.ts";

/** Reads the service's records, for the checks. */
export type Reader = {
  /** Reads one document. Throws unless the status is 200. */
  read(path: string): Promise<unknown>;
  /** Reads all items of a list, page by page. */
  readAll(path: string): Promise<unknown[]>;
};

export function createReader(send: Send, baseUrl: string, apiKey: string): Reader {
  const get = async (path: string) => {
    const reply = await send(baseUrl, {
      method: "GET",
      path: `/api/v1${path}`,
      headers: { authorization: `Bearer ${apiKey}` },
      timeoutMs: 30_000,
    });
    if (reply.status !== 200) throw new Error(`GET ${path}: ${reply.status} ${reply.text}`);
    return { ...reply, body: JSON.parse(reply.text) as unknown };
  };
  return {
    read: async (path) => (await get(path)).body,
    readAll: async (path) => {
      const items: unknown[] = [];
      let next: string | undefined = path;
      while (next !== undefined) {
        const { body, headers } = await get(next);
        if (!Array.isArray(body)) throw new Error(`GET ${path} did not return a list`);
        items.push(...(body as unknown[]));
        const link = /<([^>]+)>; rel="next"/.exec(String(headers["link"] ?? ""))?.[1];
        // The link contains the service's public URL, but the request must go to one node.
        next = link === undefined ? undefined : link.slice(link.indexOf("/api/v1") + 7);
      }
      return items;
    },
  };
}

/** Calls `work` for each item, with limited concurrency. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let item = items[next]; item !== undefined; item = items[next]) {
      const index = next;
      next += 1;
      await work(item, index);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}
