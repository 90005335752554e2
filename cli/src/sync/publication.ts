import type { LocalTool } from "../project/local-tools.ts";
import type { Repository } from "../project/repository.ts";

/** Names the commit that has the content of a folder, if it is the one that is checked out. */
export async function publicationHeaders(
  repository: Repository | undefined,
  { folder, hash }: LocalTool,
): Promise<Record<string, string>> {
  if (repository === undefined) return {};
  const isCommitted =
    (await repository.hashAt(repository.head, repository.pathOf(folder))) === hash;
  return isCommitted ? nameHead(repository, folder) : {};
}

/** Names the commit that no longer has a folder. */
export function deletionHeaders(
  repository: Repository | undefined,
  folder: string,
): Record<string, string> {
  return repository === undefined ? {} : nameHead(repository, folder);
}

function nameHead(repository: Repository, folder: string): Record<string, string> {
  const path = repository.pathOf(folder).split("/").map(encodeURIComponent).join("/");
  return { "published-from": `${repository.head}:${path}` };
}
