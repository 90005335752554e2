import { parseGitFolder } from "@toolhost/contract";
import type { GitFolder } from "@toolhost/contract";
import { ServiceError } from "#core/kernel";

/** The header with which clients name the Git commit and folder that a tool is published from. */
export const publishedFromHeader = {
  name: "Published-From",
  description:
    "The Git commit and folder with this content, or without it if the tool is archived, as `COMMIT:PATH` with the path percent-encoded. `publishedFrom` of the tool then names it. Ignored in changes by users who are neither the author nor an admin.",
};

/** Where in Git the content of a request is. Throws `invalid_request` if the header is not valid. */
export function readPublishedFrom(headers: Headers): GitFolder | undefined {
  const text = headers.get(publishedFromHeader.name);
  if (text === null) return undefined;
  const folder = parseGitFolder(text);
  if (folder !== undefined) return folder;
  throw new ServiceError(
    "invalid_request",
    "Published-From must be the ID of a commit and a folder, as COMMIT:PATH.",
  );
}
