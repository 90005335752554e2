import type { Client } from "@toolhost/client";
import type { ImportItem, ImportedTool } from "@toolhost/contract";
import type { SignIn } from "./parse-authentication.ts";

/** What was imported before stays as it is, which is a problem if it does not use the credentials that were asked for. */
export async function presentExisting(
  client: Client,
  item: ImportItem,
  signIn: SignIn,
): Promise<ImportedTool> {
  const { key, toolName } = item;
  const draftId = toolName === null ? item.draftId : null;
  const wanted = wantedCredentials(item, signIn);
  const used = wanted.length === 0 ? [] : await usedCredentials(client, { toolName, draftId });
  const isMet =
    wanted.length === 0 || wanted.some((names) => names.every((one) => used.includes(one)));
  return {
    key,
    toolName,
    draftId,
    notes: isMet ? ["It was imported before."] : [],
    problem: isMet ? null : problemOf({ toolName, draftId }, wanted.flat()),
  };
}

/** For each way to authenticate, the names of its credentials. Without any, the item needs no credential that was named. */
function wantedCredentials(
  { security }: ImportItem,
  { credentials, authentication }: SignIn,
): string[][] {
  if (authentication !== undefined) {
    const names = Object.entries(authentication).filter(([name]) => /credential$/i.test(name));
    return names.length === 0 ? [] : [names.map(([, name]) => name)];
  }
  return security
    .map((schemes) => schemes.flatMap((scheme) => credentials[scheme] ?? []))
    .filter((names) => names.length > 0);
}

type Made = Pick<ImportedTool, "toolName" | "draftId">;

async function usedCredentials(client: Client, { toolName, draftId }: Made): Promise<string[]> {
  if (toolName !== null) {
    const { credentials } = await client.request("GET /tools/{name}", {
      params: { name: toolName },
    });
    return credentials.map(({ name }) => name);
  }
  const { definition } = await client.request("GET /drafts/{id}", {
    params: { id: draftId ?? "" },
  });
  // A draft is stored as it is typed, so it may be anything.
  const { credentials } = definition;
  if (!Array.isArray(credentials)) return [];
  return credentials.flatMap((one: unknown) =>
    typeof one === "object" && one !== null && "name" in one ? [String(one.name)] : [],
  );
}

function problemOf({ toolName, draftId }: Made, wanted: readonly string[]): string {
  const made = toolName ?? `Draft ${draftId ?? ""}`;
  const names = [...new Set(wanted)].join(", ");
  return `It was imported before, and ${made} does not use ${names}. Change it, or add --again to create another.`;
}
