import type { LocalTool } from "../project/local-tools.ts";
import type { Repository } from "../project/repository.ts";

/** Names the commit that has the content of a folder, if it is the one that is checked out. */
export async function publicationHeaders(
  repository: Repository | undefined,
  { folder, hash }: LocalTool,
): Promise<Record<string, string>> {
  if (repository === undefined) return {};
  const path = repository.pathOf(folder);
  if ((await repository.hashAt(repository.head, path)) !== hash) return {};
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  return { "published-from": `${repository.head}:${encoded}` };
}
