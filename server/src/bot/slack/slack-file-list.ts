import { z } from "zod";
import type { ChatFile } from "#core/chat";

/** The files of a message, or of a field in a form. */
export const slackFiles = z.array(
  z.object({
    id: z.string().min(1).max(100),
    name: z.string().nullish(),
    mimetype: z.string().nullish(),
    size: z.number().nullish(),
  }),
);

export function toChatFiles(files: z.infer<typeof slackFiles> = []): ChatFile[] {
  return files.map((file) => ({
    id: file.id,
    name: (file.name ?? "file").slice(0, 255),
    mimeType: (file.mimetype ?? "application/octet-stream").slice(0, 255),
    size: file.size ?? 0,
  }));
}
