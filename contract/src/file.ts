import { z } from "zod";

/** A media type with its parameters, such as `text/plain; charset=utf-8`. */
const mimeType = z
  .string()
  .max(200)
  .regex(
    /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?: *; *[\w!#$&^.+-]+=(?:[\w!#$&^.+/:-]+|"[^"\\\p{Cc}]*"))*$/u,
    'must be a media type such as "image/png"',
  );

/** JSON body of `POST /upload`: the file itself in base64, or its size to send the bytes to an address. */
export const uploadFileInput = z
  .strictObject({
    fileName: z.string().min(1).max(1_000).meta({
      description: "A path is cut to its last part, and control characters are taken out.",
    }),
    mimeType,
    contentBase64: z
      .string()
      .regex(/^[A-Za-z0-9+/]*={0,2}$/, "must be base64 with the alphabet of RFC 4648, section 4")
      .refine((text) => text.length % 4 === 0, "must be base64 with its padding")
      .optional(),
    size: z
      .int()
      .min(0)
      .optional()
      .meta({ description: "Asks for an address that takes exactly so many bytes by PUT." }),
  })
  .refine(
    ({ contentBase64, size }) => (contentBase64 === undefined) !== (size === undefined),
    "must hold either contentBase64 or size",
  )
  .meta({
    id: "UploadFileInput",
    description: "A file in base64, or the size of one that will come.",
  });
export type UploadFileInput = z.infer<typeof uploadFileInput>;

/** Answer of `POST /upload`. */
export const uploadedFile = z
  .object({
    fileId: z.string(),
    fileName: z.string(),
    mimeType: z.string(),
    size: z.int(),
    /** Null until the bytes are there. */
    sha256: z.string().nullable(),
    status: z.enum(["ready", "awaiting_upload"]),
    /** Takes the bytes once, by PUT and without a key. A secret. */
    uploadUrl: z.url().optional(),
    /** When the file is deleted; of one that is awaited, when its address ends. */
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "UploadedFile", description: "A file of the workspace." });
export type UploadedFile = z.infer<typeof uploadedFile>;

/** What `ctx.files.save` answers, to be put into a tool's output. */
export type FileReference = Pick<UploadedFile, "fileId" | "fileName" | "mimeType" | "size"> & {
  sha256: string;
  /** Where people and programs with access to the workspace get it. */
  url: string;
};
