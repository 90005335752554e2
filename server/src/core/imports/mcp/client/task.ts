import type { McpClient } from "./mcp-client.ts";
import { isObject, ProtocolError } from "./messages.ts";
import type { JsonObject } from "./messages.ts";

/** What a call adds for a tool that servers of 2025-11-25 run as tasks only. Longer than any run takes. */
export const taskRequest = { task: { ttl: 3_600_000 } };

const taskIdPattern = /^[\x21-\x7e]{1,256}$/;

type Call = { id: string; onProgress: (params: JsonObject) => void };

/** The result of a call. If the server runs it as a task, waits for the end, which `tasks/result` does by definition. */
export async function awaitResult(
  client: McpClient,
  answer: JsonObject,
  { id, onProgress }: Call,
): Promise<JsonObject> {
  if (!isObject(answer["task"])) return answer;
  const { taskId } = answer["task"];
  if (typeof taskId !== "string" || !taskIdPattern.test(taskId)) {
    throw new ProtocolError("The server started a task without a usable ID");
  }
  return client.request(
    "tasks/result",
    { taskId },
    {
      id: `${id} result`,
      progressToken: id,
      headers: { "x-toolhost-last-message": cancellationOfTask(taskId, id) },
      onProgress,
    },
  );
}

/** What the service sends to the server if the run is cancelled or reaches a limit during the task. */
function cancellationOfTask(taskId: string, id: string): string {
  const message = { id: `${id} cancel`, method: "tasks/cancel", params: { taskId } };
  return JSON.stringify({ jsonrpc: "2.0", ...message });
}
