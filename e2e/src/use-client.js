import { createClient, isApiError } from "@toolhost/client";

/** Uses the client as programs do, in any runtime. Returns what it saw. */
export async function useClient({ baseUrl, apiKey, tool }) {
  const client = createClient({ baseUrl, apiKey });
  const output = await client.run(tool, { n: 21 });
  const { runId } = await client.runs.start(tool, { n: 1 });
  const events = [];
  for await (const event of client.runs.logs(runId, { follow: true })) events.push(event.type);
  const size = 5 * 1024 * 1024;
  const large = await client.files.upload(new Blob([new Uint8Array(size)]));
  const file = new File(["größe"], "a.txt", { type: "text/plain" });
  const { fileId } = await client.files.upload(file);
  const download = await client.files.download(fileId);
  const error = await client.run("no_tool_ab12").catch((caught) => caught);
  return {
    output,
    events,
    isLargeComplete: large.status === "ready" && large.size === size,
    text: await download.text(),
    code: isApiError(error, "tool_not_found") ? error.code : String(error),
  };
}
