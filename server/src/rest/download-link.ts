import type { ErrorCode } from "@toolhost/contract";
import type { RequestOrigin } from "#core/kernel";
import type { Context } from "#core/context";
import { openDownloadLink } from "#core/files";
import { toStream } from "./response.ts";
import { sendFile } from "./send-file.ts";

/** The path of a download link. It is not in the table of routes, as its token replaces a caller. */
export const downloadPath = "/downloads/{token}";

export const downloadErrors: readonly ErrorCode[] = [
  "file_not_found",
  "range_not_satisfiable",
  "internal",
  "unavailable",
];

/** Serves a download link, which agents pass on to users. Logs contain the route, never the token. */
export async function serveDownload(
  context: Context,
  request: Request,
  { token, origin }: { token: string; origin: RequestOrigin },
): Promise<Response> {
  const file = await openDownloadLink(context, token);
  const isHead = request.method === "HEAD";
  const response = toStream(await sendFile(file, { headers: request.headers, isHead }));
  response.headers.set("referrer-policy", "no-referrer");
  response.headers.set("x-request-id", origin.requestId);
  return response;
}

/** The path in the OpenAPI document. */
export function describeDownloadPath(problems: object): object {
  return {
    get: {
      operationId: "downloadFromUrl",
      tags: ["Files"],
      summary: "Download a file through a link",
      description:
        "Agents get such a link for each file that a tool saved. It works for an hour without an API key, as long as its user may see the file, and returns the bytes as `GET /files/{fileId}` does.",
      security: [],
      parameters: [{ name: "token", in: "path", required: true, schema: { type: "string" } }],
      responses: {
        200: { description: "Success.", content: { "application/octet-stream": { schema: {} } } },
        ...problems,
      },
    },
  };
}
