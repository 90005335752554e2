import type { Client } from "@toolhost/client";
import { definitionOf, hashOf } from "../project/definition.ts";
import type { Definition } from "../project/definition.ts";
import type { Link } from "../project/lock-file.ts";
import type { LocalTool } from "../project/local-tools.ts";
import type { Repository } from "../project/repository.ts";
import { isApiError } from "./remote-tools.ts";

type Question = {
  client: Client;
  repository: Repository | undefined;
  folder: string;
  local: LocalTool;
  link: Link;
  /** The commit that has the content of `link`. */
  commit: string | undefined;
  liveVersion: number;
};

const maxVersions = 20;

/**
 * Whether content of the project was live and has been rolled back on the server, so that a push would undo the rollback. In doubt,
 * it was. The live version has the content of `link`, and there are versions in between.
 */
export async function isRolledBack(question: Question): Promise<boolean> {
  const { client, link, liveVersion } = question;
  if (liveVersion - link.version > maxVersions) return true;
  const ours = await contentsOfProject(question);
  if (ours === undefined) return true;
  for (let version = link.version + 1; version < liveVersion; version++) {
    const params = { name: link.name, version };
    const detail = await client
      .request("GET /tools/{name}/versions/{version}", { params })
      .catch((error: unknown) => {
        // It was pruned, or the key may not read it.
        if (isApiError(error, 404) || isApiError(error, 403)) return undefined;
        throw error;
      });
    const definition = detail === undefined ? undefined : definitionOf(detail as never);
    if (definition === undefined || ours.has(contentHash(definition))) return true;
  }
  return false;
}

/** The content of the folder, and what commits since the common one had in it. Undefined if there are too many. */
async function contentsOfProject({ repository, folder, local, link, commit }: Question) {
  const found = new Set([contentHash(local.definition)]);
  if (repository === undefined) return found;
  const path = repository.pathOf(folder);
  const changes = await repository.changesOf(path, commit);
  if (changes === undefined) return undefined;
  for (const change of changes) {
    const definition = await repository.toolAt(change, path);
    if (definition !== undefined && hashOf(definition) !== link.hash) {
      found.add(contentHash(definition));
    }
  }
  return found;
}

/** Versions have no visibility. */
const contentHash = (definition: Definition) => hashOf({ ...definition, visibility: "workspace" });
