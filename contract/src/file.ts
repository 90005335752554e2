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

/** The return value of `ctx.files.save`, for use in a tool's output. */
export type FileReference = Pick<UploadedFile, "fileId" | "fileName" | "mimeType" | "size"> & {
  sha256: string;
  /** The file's URL, for people and programs with access to the workspace. */
  url: string;
};
