import { CurlError, findFields, findSecrets, readCurl, titleOf } from "@toolhost/tool-schema/curl";
import type { CurlRequest, FoundFields, Secret } from "@toolhost/tool-schema/curl";

/** What a command consists of. */
export type ReadCommand = {
  request: CurlRequest;
  secrets: Secret[];
  found: FoundFields;
  title: string;
};

/** Reads a command; undefined for an empty one, a text for one that cannot be read. */
export function readCommand(text: string): ReadCommand | string | undefined {
  if (text.trim() === "") return undefined;
  try {
    const request = readCurl(text);
    const secrets = findSecrets(request);
    const found = findFields(request, secrets);
    return { request, secrets, found, title: titleOf(request, found) };
  } catch (error) {
    if (error instanceof CurlError) return error.message;
    throw error;
  }
}
