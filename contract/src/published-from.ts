import { z } from "zod";

/** A folder of a Git repository at a commit. */
const gitFolder = z.object({
  commit: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "must be the ID of a commit"),
  path: z
    .string()
    .max(500)
    .regex(
      /^(?!\.{1,2}(?:\/|$))[^/:\p{Cc}\p{Cs}]+(?:\/(?!\.{1,2}(?:\/|$))[^/:\p{Cc}\p{Cs}]+)*$/u,
      "must be a folder inside of the repository",
    ),
});
export type GitFolder = z.infer<typeof gitFolder>;

/** Parses `commit:path`, as Git writes a folder at a commit, with the path percent-encoded. Undefined if it is not valid. */
export function parseGitFolder(text: string): GitFolder | undefined {
  const at = text.indexOf(":");
  try {
    const path = decodeURIComponent(text.slice(at + 1));
    return gitFolder.safeParse({ commit: text.slice(0, Math.max(0, at)), path }).data;
  } catch {
    return undefined;
  }
}

/** The folder with which a tool last had the same content. */
export const publishedFrom = gitFolder
  .extend({ version: z.int().meta({ description: "The version with this content." }) })
  .meta({
    id: "PublishedFrom",
    description: "The Git commit and folder that a tool was last published from.",
  });
export type PublishedFrom = z.infer<typeof publishedFrom>;
