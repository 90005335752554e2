import type { CredentialOwner } from "@toolhost/contract";
import { createRedactor } from "@toolhost/sandbox";
import type { EgressPolicy, Redactor } from "@toolhost/sandbox";
import type { VaultContext } from "../context.ts";
import type { CredentialTable } from "#db";
import { randomToken } from "#lib/ids";
import { followSecrets } from "./live-secrets.ts";
import { checkValueBytes, openValue } from "./open-value.ts";
import { findReleased, ownerOf } from "./released-credentials.ts";
import type { UnavailableCredential, RequestingVersion, Viewer } from "./released-credentials.ts";

/** The decrypted credentials of one run. They are never stored. */
export type RunCredentials = {
  /** The content of the tool's `ctx.credentials`: placeholders, and the values that it declares as exposed. */
  shown: Readonly<Record<string, string>>;
  secrets: NonNullable<EgressPolicy["secrets"]>;
  /** Redacts every value in a text. */
  redact: Redactor;
  /**
   * Identifies the credentials in their current revision. Runs with another tag do not share an isolate with this run.
   */
  tag: string;
  held: readonly HeldCredential[];
};

/** A credential of a run; `exposed` if the tool's code reads the value. */
export type HeldCredential = { name: string; owner: CredentialOwner; exposed: boolean };

const none: RunCredentials = { shown: {}, secrets: [], redact: (text) => text, tag: "", held: [] };

type CredentialCheck = {
  /** Credentials that the run could not use. */
  missing: readonly UnavailableCredential[];
  /** Removes the values of the others from a text. */
  redact: Redactor;
};

/**
 * Looks up the credentials that a tool declares, before its run is created. Throws `unavailable` for a connection whose token
 * has expired while its provider is unreachable, and `invalid_request` when the values are too long together.
 */
export async function findRunCredentials(
  context: VaultContext,
  viewer: Viewer,
  tool: RequestingVersion,
): Promise<CredentialCheck> {
  if (tool.definition.credentials.length === 0) return { missing: [], redact: none.redact };
  const { found, missing } = await findReleased(context, viewer, tool);
  return { missing, redact: redactorOf(context, [...found.values()]) };
}

function redactorOf(context: VaultContext, rows: readonly CredentialTable[]): Redactor {
  const values = openAll(context, rows);
  // Opening them will fail the run. Until then, all of its input could contain their values.
  if (values === undefined) return () => "[redacted]";
  checkValueBytes(values.map(({ value }) => value));
  return createRedactor(values);
}

function openAll(context: VaultContext, rows: readonly CredentialTable[]) {
  try {
    return rows.map((row) => ({ name: row.name, value: openValue(context, row) }));
  } catch {
    return undefined;
  }
}

/**
 * Decrypts the credentials of one run, each with its own placeholder, or returns those that it cannot use. Throws if
 * one cannot be decrypted, and `unavailable` and `invalid_request` as `findRunCredentials` does.
 */
export async function openCredentials(
  context: VaultContext,
  viewer: Viewer,
  tool: RequestingVersion,
): Promise<RunCredentials | { missing: readonly UnavailableCredential[] }> {
  const declared = tool.definition.credentials;
  if (declared.length === 0) return none;
  const { found, missing } = await findReleased(context, viewer, tool);
  if (missing.length > 0) return { missing };
  const now = context.clock.now();
  const opened = declared.flatMap(({ name, hosts, expose }) => {
    const row = found.get(name);
    if (row === undefined) return [];
    context.lastUsed.note("credentials", row.id, now);
    const value = openValue(context, row);
    const own = JSON.parse(row.hosts) as string[];
    // The credential's owner determines where it may be sent; the tool can only narrow that down.
    const lists = hosts.length === 0 ? [own] : [own, hosts];
    const placeholder = `th_credential_${randomToken(24).replaceAll("-", "_")}`;
    return [{ row, isExposed: expose === true, name, placeholder, value, hosts: lists }];
  });
  checkValueBytes(opened.map(({ value }) => value));
  return {
    shown: Object.fromEntries(
      opened.map(({ name, isExposed, placeholder, value }) => [
        name,
        isExposed ? value : placeholder,
      ]),
    ),
    ...followSecrets(context, opened),
    tag: opened
      .map(({ row: { id, revision, exposable } }) => `${id}.${revision}.${exposable}`)
      .join(),
    held: opened.map(({ name, row, isExposed }) => {
      return { name, owner: ownerOf(row), exposed: isExposed };
    }),
  };
}
