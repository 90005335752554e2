import { uploadedFile } from "@toolhost/contract";
import type { RequestOrigin } from "#core/kernel";
import type { Context } from "#core/context";
import { receiveUpload } from "#core/files";
import { jsonHeaders } from "./answer.ts";

/** Where bytes go that were announced. No route of the table, for its secret stands in the place of a caller. */
export const uploadAddressPath = "/uploads/{token}";

/**
 * Lets pages of any site send to an upload address: its secret is all the right there is, and no cookie goes along. Widgets
 * in chats are such pages, of a site that nobody knows beforehand.
 */
export const uploadCors = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "PUT",
  "access-control-allow-headers": "content-type",
  "access-control-max-age": "7200",
};

/** Serves a PUT to an upload address: neither key nor Idempotency-Key, since it works once. */
export async function serveUploadAddress(
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

/** The path in the API's description. */
export function describeUploadAddress(problems: object): object {
  const answer = { schema: { $ref: "#/components/schemas/UploadedFile" } };
  return {
    put: {
      operationId: "putUploadsByToken",
      tags: ["Files"],
      summary: "Send the bytes of an announced file",
      description:
        "The `uploadUrl` of an upload. The body is the bytes as they are, exactly as many as announced. Needs no key; works once.",
      security: [],
      parameters: [{ name: "token", in: "path", required: true, schema: { type: "string" } }],
      requestBody: {
        required: true,
        content: { "application/octet-stream": { schema: {} } },
      },
      responses: {
        200: { description: "Success.", content: { "application/json": answer } },
        ...problems,
      },
    },
  };
}
