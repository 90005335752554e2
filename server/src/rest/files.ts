import {
  createFileLinkInput,
  fileLink,
  listedFile,
  listFilesQuery,
  uploadedFile,
  uploadFileInput,
  uploadFileQuery,
} from "@toolhost/contract";
import { z } from "zod";
import {
  createFile,
  createUploadUrl,
  deleteFile,
  getFile,
  listFiles,
  requestDownloadLink,
  spool,
} from "#core/files";
import { idOfCursor, linkHeader } from "./paging.ts";
import { readUpload } from "./read-upload.ts";
import { defineRoute } from "./route.ts";
import { sendFile } from "./send-file.ts";

const tag = "Files";
const fileParams = z.object({ fileId: z.string().meta({ description: "The ID of the file." }) });

/** Uploads and downloads. */
export const fileRoutes = [
  defineRoute({
    method: "post",
    path: "/upload",
    operation: "uploadFile",
    tag,
    summary: "Upload a file",
    description:
      "Send a form with the part `file`; or the bytes themselves, with `?fileName=`; or JSON with the content in base64, up to the size limit of JSON bodies. Or send JSON with the size only: the response then has an `uploadUrl`, which accepts the bytes with PUT once, within an hour and without an API key. Pass the `fileId` to a tool in one of its `fileFields`.",
    scope: "mcp:execute",
    audit: "file.create",
    // The `uploadUrl` is a secret.
    isSecret: true,
    query: uploadFileQuery,
    body: uploadFileInput,
    readBody: readUpload,
    otherBodies: {
      "multipart/form-data": {
        type: "object",
        properties: {
          file: { type: "string", contentMediaType: "application/octet-stream" },
        },
        required: ["file"],
      },
      "application/octet-stream": {
        type: "string",
        format: "binary",
        description: "With `?fileName=`, the bytes of the file; any media type is accepted.",
      },
    },
    status: 201,
    response: uploadedFile,
    handle: async ({ context, caller, body, upload }) => {
      const { contentBase64, size = 0, ...info } = body;
      if (upload !== undefined) {
        return { body: await createFile(context, caller, info, { spooled: upload }) };
      }
      if (contentBase64 === undefined) {
        return { body: await createUploadUrl(context, caller, { ...info, size }) };
      }
      const bytes = Buffer.from(contentBase64, "base64");
      const spooled = await spool(context, [bytes], context.config.UPLOAD_MAX_BYTES);
      try {
        return { body: await createFile(context, caller, info, { spooled }) };
      } finally {
        await spooled.discard();
      }
    },
  }),
  defineRoute({
    method: "get",
    path: "/files/{fileId}",
    operation: "downloadFile",
    tag,
    summary: "Download a file",
    description:
      "Returns the bytes of the file, or one range of them. The response is an attachment, unless the first bytes identify an image that browsers display safely (PNG, JPEG, GIF, WebP).",
    scope: "mcp:read",
    audit: null,
    requestHeaders: [
      { name: "Range", description: "One range of bytes (RFC 9110, section 14)." },
      {
        name: "If-None-Match",
        description: "The `ETag` of a cached copy. Returns 304 if it is current.",
      },
      { name: "If-Range", description: "The `ETag` that the range applies to." },
    ],
    params: fileParams,
    status: 200,
    response: null,
    isBinary: true,
    errors: ["file_not_found", "range_not_satisfiable"],
    handle: async ({ context, caller, params, headers, isHead }) =>
      sendFile(await getFile(context, caller, params.fileId), { headers, isHead }),
  }),
  defineRoute({
    method: "get",
    path: "/files",
    operation: "listFiles",
    tag,
    summary: "List files, newest first",
    description: "Returns the uploads, and the files that runs saved, that you can see.",
    scope: "mcp:read",
    audit: null,
    query: listFilesQuery,
    status: 200,
    response: z.array(listedFile),
    handle: async ({ context, caller, query, url }) => {
      const { limit, cursor, runId, userId } = query;
      const filter = { runId, userId: userId === "me" ? caller.userId : userId };
      const page = { limit, after: idOfCursor(cursor) };
      const { files, next } = await listFiles(context, caller, filter, page);
      return { body: files, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "delete",
    path: "/files/{fileId}",
    operation: "deleteFile",
    tag,
    summary: "Delete a file",
    description:
      "Only the user who uploaded the file, or whose run saved it, and admins can delete it. Download links to it stop working.",
    scope: "mcp:execute",
    audit: "file.delete",
    params: fileParams,
    status: 204,
    response: null,
    errors: ["file_not_found"],
    handle: async ({ context, caller, params }) => {
      await deleteFile(context, caller, params.fileId);
      return { body: null };
    },
  }),
  defineRoute({
    method: "post",
    path: "/files/{fileId}/links",
    operation: "createFileLink",
    tag,
    summary: "Create a download link",
    description:
      "The link downloads the file without authentication until it expires. It stops working earlier if the file is deleted, or if you can no longer see the file.",
    scope: "mcp:execute",
    audit: "file.create_link",
    isSecret: true,
    params: fileParams,
    body: createFileLinkInput,
    isBodyOptional: true,
    status: 201,
    response: fileLink,
    errors: ["file_not_found"],
    handle: async ({ context, caller, params, body }) => ({
      body: await requestDownloadLink(context, caller, { ...params, ...body }),
    }),
  }),
];
