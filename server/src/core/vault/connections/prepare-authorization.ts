import { ServiceError } from "#core/kernel";
import { ProviderError, toServiceError, unknownAttempt } from "#core/oauth-client";
import type { CredentialTable } from "#db";
import type { VaultContext } from "../context.ts";
import { callbackUrl } from "./connection-attempt.ts";
import { sealSecrets, secretsOf, settingsOf } from "./connection.ts";
import type { ConnectionSettings } from "./connection.ts";
import { findConnection, updateConnection } from "./connection-store.ts";
import { discoverResource } from "./discover-resource.ts";
import { createMetadataReader, readServerMetadata } from "./read-metadata.ts";
import type { MetadataReader } from "./read-metadata.ts";
import { registerClient } from "./register-client.ts";
import { checkEndpoints, endpointsOf, requirePkce } from "./server-endpoints.ts";

/** How long the metadata that a connection was created or connected with is not read again. */
const freshMs = 600_000;

/**
 * The connection with which an authorization starts. If it was discovered some time ago, the provider's metadata are
 * read again: its endpoints may have moved, but not the provider itself, to which the person once agreed. A client that
 * has expired is registered again. Throws `connection_failed` if the server now names another provider.
 */
export async function prepareAuthorization(
  context: VaultContext,
  row: CredentialTable,
): Promise<CredentialTable> {
  const settings = settingsOf(row);
  const isStale = mustRegister(context, settings);
  const isRecent = context.clock.now() - row.created_at < freshMs;
  const isDiscovered = settings.serverUrl !== null || settings.registeredFor !== null;
  if (!isDiscovered || ((row.status === "ready" || isRecent) && !isStale)) return row;
  const reader = createMetadataReader(context, row.workspace_id);
  try {
    await assertSameIssuer(context, reader, row.name, settings);
    const changed = await readAgain(context, reader, row, settings);
    return changed === undefined ? row : await store(context, row, changed);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // What the person agreed to before may still work, unless the client has to be registered first.
    if (!isStale) return row;
    throw toServiceError(error);
  }
}

function mustRegister(
  context: VaultContext,
  { registeredFor, clientExpiresAt }: ConnectionSettings,
): boolean {
  if (registeredFor === null) return false;
  const isExpired = clientExpiresAt !== null && clientExpiresAt <= context.clock.now();
  return isExpired || registeredFor !== callbackUrl(context);
}

async function assertSameIssuer(
  context: VaultContext,
  reader: MetadataReader,
  name: string,
  { serverUrl, issuer }: ConnectionSettings,
): Promise<void> {
  if (serverUrl === null || issuer === null) return;
  const found = await discoverResource(context, reader, serverUrl);
  const isNamed = found.issuers.some((named) => new URL(named).href === new URL(issuer).href);
  if (!found.isPublished || isNamed) return;
  const [server, before, now] = [serverUrl, issuer, found.issuers[0] ?? ""].map(
    (url) => new URL(url).host,
  );
  throw new ServiceError(
    "connection_failed",
    `${server} has changed where people sign in, from ${before} to ${now}. If you expect this, delete ${name} and add it again.`,
  );
}

type Changed = { settings: ConnectionSettings; clientSecret: string | undefined };

async function readAgain(
  context: VaultContext,
  reader: MetadataReader,
  row: CredentialTable,
  settings: ConnectionSettings,
): Promise<Changed | undefined> {
  if (settings.issuer === null) return undefined;
  const { grantType, issuer } = settings;
  const metadata = await readServerMetadata(reader, issuer);
  if (settings.serverUrl !== null) requirePkce(metadata);
  const endpoints = endpointsOf(metadata, { grantType, issuer });
  checkEndpoints(context, endpoints);
  const revocationUrl = endpoints.revocationUrl ?? settings.revocationUrl;
  const current = { ...settings, ...endpoints, revocationUrl };
  if (!mustRegister(context, settings)) {
    return { settings: current, clientSecret: secretsOf(context, row).clientSecret };
  }
  const { client, clientSecret } = await registerClient(context, reader, metadata, settings.scopes);
  return { settings: { ...current, ...client }, clientSecret };
}

/** Keeps the tokens: until the person has agreed again, runs use them. */
async function store(
  context: VaultContext,
  row: CredentialTable,
  { settings, clientSecret }: Changed,
): Promise<CredentialTable> {
  const columns = {
    ...sealSecrets(context, row.id, { ...secretsOf(context, row), clientSecret }),
    connection: JSON.stringify(settings),
    revision: row.revision + 1,
  };
  const query = updateConnection(context.db, row, columns);
  if (await context.db.transact([{ query, mustChange: true }])) return { ...row, ...columns };
  const current = await findConnection(context.db, row);
  if (current === undefined) throw unknownAttempt();
  return current;
}
