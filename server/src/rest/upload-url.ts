import { uploadedFile } from "@toolhost/contract";
import type { RequestOrigin } from "#core/kernel";
import type { Context } from "#core/context";
import { receiveUpload } from "#core/files";
import { jsonHeaders } from "./response.ts";

/** Where the bytes of an announced file are sent. It is not in the table of routes, as its token replaces a caller. */
export const uploadPath = "/uploads/{token}";

/**
 * Lets pages of any origin send to an upload URL, such as widgets in chats, whose origin is not known beforehand. The token
 * alone grants access, and no cookie is sent.
 */
export const uploadCors = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "PUT",
  "access-control-allow-headers": "content-type",
  "access-control-max-age": "7200",
};

/** Serves a PUT to an upload URL. It works once, so it needs neither an API key nor an Idempotency-Key. */
export async function serveUpload(
  context: Context,
  request: Request,
  { token, origin }: { token: string; origin: RequestOrigin },
): Promise<Response> {
  const declared = request.headers.get("content-length");
  const file = await receiveUpload(context, origin, token, {
    body: request.body ?? [],
    length: declared === null ? undefined : Number(declared),
  });
  return Response.json(uploadedFile.parse(file), {
    headers: { ...jsonHeaders(origin.requestId), ...uploadCors },
  });
}

/** The path in the OpenAPI document. */
export function describeUploadPath(problems: object): object {
  const schema = { schema: { $ref: "#/components/schemas/UploadedFile" } };
  return {
    put: {
      operationId: "uploadToUrl",
      tags: ["Files"],
      summary: "Upload the bytes of a file",
      description:
        "This is the `uploadUrl` of an upload. The body is the raw bytes of the file, exactly as many as announced. The URL works once and requires no API key.",
      security: [],
      parameters: [{ name: "token", in: "path", required: true, schema: { type: "string" } }],
      requestBody: {
        required: true,
        content: { "application/octet-stream": { schema: {} } },
      },
      responses: {
        200: { description: "Success.", content: { "application/json": schema } },
        ...problems,
      },
    },
  };
}
