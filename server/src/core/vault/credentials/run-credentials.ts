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

/** The credentials of a run that is about to execute, and when they were looked up, by `performance.now()`. */
export type FoundCredentials = {
  rows: ReadonlyMap<string, CredentialTable>;
  /** The decrypted values by name; undefined if one cannot be decrypted. */
  values: ReadonlyMap<string, string> | undefined;
  foundAt: number;
};

/** A run that waits longer until it executes looks up its credentials again. */
const maxAgeMs = 500;

type CredentialCheck = {
  /** Credentials that the run could not use. */
  missing: readonly UnavailableCredential[];
  /** Removes the values of the others from a text. */
  redact: Redactor;
  /** For {@link openCredentials}, if the run executes at once. Undefined for a tool without credentials. */
  found?: FoundCredentials;
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
  const foundAt = performance.now();
  const { found: rows, missing } = await findReleased(context, viewer, tool);
  const values = openAll(context, [...rows.values()]);
  return { missing, redact: redactorOf(values), found: { rows, values, foundAt } };
}

function redactorOf(values: FoundCredentials["values"]): Redactor {
  // Opening them will fail the run. Until then, all of its input could contain their values.
  if (values === undefined) return () => "[redacted]";
  checkValueBytes([...values.values()]);
  return createRedactor([...values].map(([name, value]) => ({ name, value })));
}

function openAll(
  context: VaultContext,
  rows: readonly CredentialTable[],
): FoundCredentials["values"] {
  try {
    return new Map(rows.map((row) => [row.name, openValue(context, row)]));
  } catch {
    return undefined;
  }
}

/** What was found for the same run a moment ago, or is found now. */
async function findAgain(
  context: VaultContext,
  viewer: Viewer,
  tool: RequestingVersion,
  before: FoundCredentials | undefined,
) {
  if (before !== undefined && performance.now() - before.foundAt < maxAgeMs) {
    return { found: before.rows, missing: [], values: before.values };
  }
  return { ...(await findReleased(context, viewer, tool)), values: undefined };
}

/**
 * Decrypts the credentials of one run, each with its own placeholder, or returns those that it cannot use. Throws if
 * one cannot be decrypted, and `unavailable` and `invalid_request` as `findRunCredentials` does. `before` is what that has found
 * for the same run.
 */
export async function openCredentials(
  context: VaultContext,
  viewer: Viewer,
  tool: RequestingVersion,
  before?: FoundCredentials,
): Promise<RunCredentials | { missing: readonly UnavailableCredential[] }> {
  const declared = tool.definition.credentials;
  if (declared.length === 0) return none;
  const { found, missing, values } = await findAgain(context, viewer, tool, before);
  if (missing.length > 0) return { missing };
  const now = context.clock.now();
  const opened = declared.flatMap(({ name, hosts, expose }) => {
    const row = found.get(name);
    if (row === undefined) return [];
    context.lastUsed.note("credentials", row.id, now);
    const value = values?.get(name) ?? openValue(context, row);
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
