import { z } from "zod";

/** A media type with its parameters, such as `text/plain; charset=utf-8`. */
const mimeType = z
  .string()
  .max(200)
  .regex(
    /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?: *; *[\w!#$&^.+-]+=(?:[\w!#$&^.+/:-]+|"[^"\\\p{Cc}]*"))*$/u,
    'must be a media type such as "image/png"',
  );

/** JSON body of `POST /upload`: the file in base64, or its size to get an upload URL. */
export const uploadFileInput = z
  .strictObject({
    fileName: z.string().min(1).max(1_000).meta({
      description: "Only the last part of a path is used, and control characters are removed.",
    }),
    mimeType,
    contentBase64: z
      .string()
      .regex(/^[A-Za-z0-9+/]*={0,2}$/, "must be base64 with the alphabet of RFC 4648, section 4")
      .refine((text) => text.length % 4 === 0, "must be base64 with its padding")
      .optional(),
    size: z.int().min(0).optional().meta({
      description: "Requests an upload URL that accepts exactly this many bytes with PUT.",
    }),
  })
  .refine(
    ({ contentBase64, size }) => (contentBase64 === undefined) !== (size === undefined),
    "must contain either contentBase64 or size",
  )
  .meta({
    id: "UploadFileInput",
    description: "A file in base64, or the size of a file to upload later.",
  });
export type UploadFileInput = z.infer<typeof uploadFileInput>;

/** Response of `POST /upload`. */
export const uploadedFile = z
  .object({
    fileId: z.string(),
    fileName: z.string(),
    mimeType: z.string(),
    size: z.int(),
    /** Null until the file is uploaded. */
    sha256: z.string().nullable(),
    status: z.enum(["ready", "awaiting_upload"]),
    /** Accepts the file once, with PUT and without authentication. A secret. */
    uploadUrl: z.url().optional(),
    /** When the file is deleted, or while it is awaited, when its upload URL expires. */
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "UploadedFile", description: "A file of the workspace." });
export type UploadedFile = z.infer<typeof uploadedFile>;

/** A file in the list of files. */
export const listedFile = uploadedFile
  .omit({ uploadUrl: true, status: true })
  .extend({
    /** The run that saved it; null for an upload. */
    runId: z.string().nullable(),
    userId: z.string(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "ListedFile", description: "A file that a user uploaded or a run saved." });
export type ListedFile = z.infer<typeof listedFile>;

const maxLinkSeconds = 7 * 86_400;

/** Body of `POST /files/{fileId}/links`. */
export const createFileLinkInput = z
  .strictObject({
    expiresInSeconds: z.int().min(60).max(maxLinkSeconds).default(3_600).meta({
      description: "How long the link works, up to 7 days and not longer than the file is stored.",
    }),
  })
  .prefault({})
  .meta({ id: "CreateFileLinkInput", description: "A download link to create." });

/** Response of `POST /files/{fileId}/links`. */
export const fileLink = z
  .object({
    /** Downloads the file without authentication. A secret. */
    url: z.url(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "FileLink", description: "A download link that works without authentication." });
export type FileLink = z.infer<typeof fileLink>;

/** Query of `POST /upload` with the bytes of a file as the body. */
export const uploadFileQuery = z.object({
  fileName: z.string().min(1).max(1_000).optional().meta({
    description:
      "Name of the file. With it, the body is the bytes of the file, and `Content-Type` their media type.",
  }),
});

/** The return value of `ctx.files.save`, for use in a tool's output. */
export type FileReference = Pick<UploadedFile, "fileId" | "fileName" | "mimeType" | "size"> & {
  sha256: string;
  /** The file's URL, for people and programs with access to the workspace. */
  url: string;
};
