import { createRedactor } from "@toolhost/sandbox";
import type { EgressPolicy, Redactor } from "@toolhost/sandbox";
import type { ToolDraft } from "@toolhost/contract";
import { freshen, secretsOf } from "#core/connections";
import type { Context } from "#core/context";
import type { CredentialTable } from "#db";
import { randomToken } from "#lib/ids";
import { findByNames, setUsed, workspaceOwner } from "./credential-store.ts";

/** What a tool declares that it needs. */
type Declared = ToolDraft["credentials"];

type Viewer = { workspaceId: string; userId: string };

/** A run's credentials, open: made for one run, kept nowhere. */
export type RunCredentials = {
  /** What the tool's `ctx.credentials` holds: placeholders, and values of what it declares as exposed. */
  shown: Readonly<Record<string, string>>;
  secrets: NonNullable<EgressPolicy["secrets"]>;
  /** Takes every value out of a text. */
  redact: Redactor;
  /** Names the credentials as they are now: a run with others must not share globals with this one. */
  tag: string;
  names: readonly string[];
};

const none: RunCredentials = { shown: {}, secrets: [], redact: (text) => text, tag: "", names: [] };

/**
 * Which of the declared credentials neither the viewer nor the workspace has, or can use. Throws `unavailable`
 * for a connection whose token has ended while its provider cannot be asked.
 */
export async function findMissingCredentials(
  context: Context,
  viewer: Viewer,
  declared: Declared,
): Promise<string[]> {
  if (declared.length === 0) return [];
  const found = await resolve(context, viewer, declared);
  return declared.map(({ name }) => name).filter((name) => !found.has(name));
}

/**
 * Opens the credentials of one run, or says which are missing. Each gets a placeholder of its own. Throws
 * when one cannot be decrypted, and `unavailable` as `findMissingCredentials` does.
 */
export async function openCredentials(
  context: Context,
  viewer: Viewer,
  declared: Declared,
): Promise<RunCredentials | { missing: string[] }> {
  if (declared.length === 0) return none;
  const found = await resolve(context, viewer, declared);
  const missing = declared.map(({ name }) => name).filter((name) => !found.has(name));
  if (missing.length > 0) return { missing };
  const now = context.clock.now();
  const opened = declared.flatMap(({ name, hosts, expose }) => {
    const row = found.get(name);
    if (row === undefined) return [];
    context.credentialUse.set(row.id, now);
    const value = open(context, row);
    const own = JSON.parse(row.hosts) as string[];
    // The credential's owner says where it may go; the tool may only narrow that down.
    const lists = hosts.length === 0 ? [own] : [own, hosts];
    const placeholder = `th_credential_${randomToken(24).replaceAll("-", "_")}`;
    const { id, revision } = row;
    return [{ id, revision, isExposed: expose === true, name, placeholder, value, hosts: lists }];
  });
  return {
    shown: Object.fromEntries(
      opened.map(({ name, isExposed, placeholder, value }) => [
        name,
        isExposed ? value : placeholder,
      ]),
    ),
    secrets: opened.map(({ name, placeholder, value, hosts }) => ({
      name,
      placeholder,
      value,
      hosts,
    })),
    redact: createRedactor(opened),
    tag: opened.map(({ id, revision }) => `${id}.${revision}`).join(),
    names: opened.map(({ name }) => name),
  };
}

/** The viewer's own before the workspace's, each fit for use. */
async function resolve(
  context: Context,
  viewer: Viewer,
  declared: Declared,
): Promise<Map<string, CredentialTable>> {
  const names = declared.map(({ name }) => name);
  const rows = await findByNames(context.db, viewer, names);
  const shared = rows.filter((row) => row.owner_user_id === workspaceOwner);
  const own = rows.filter((row) => row.owner_user_id !== workspaceOwner);
  const chosen = new Map([...shared, ...own].map((row) => [row.name, row]));
  const usable = await Promise.all([...chosen.values()].map((row) => freshen(context, row)));
  return new Map(
    usable.flatMap((row) => (row?.status === "ready" ? [[row.name, row] as const] : [])),
  );
}

function open(context: Context, row: CredentialTable): string {
  if (row.kind === "oauth2") {
    const { accessToken } = secretsOf(context, row);
    if (accessToken === undefined) throw new Error("A connection without a token was to be used");
    return accessToken;
  }
  const { sealed_value: sealedValue, wrapped_key: wrappedKey, key_id: keyId } = row;
  return context.envelopes.open({ sealedValue, wrappedKey, keyId }, row.id);
}

/** Writes when each credential was last used, many at once, so that no run waits for it. */
export async function flushCredentialUse(context: Context): Promise<void> {
  const uses = Map.groupBy(context.credentialUse, ([, at]) => at);
  context.credentialUse.clear();
  if (uses.size === 0) return;
  await context.db.transact(
    [...uses].map(([at, used]) =>
      setUsed(
        context.db,
        used.map(([id]) => id),
        at,
      ),
    ),
  );
}
