import type { ApprovalNeeds, CreateToolInput } from "@toolhost/contract";

/** What a version needs: its credentials with the hosts they are sent to, and all hosts that it may reach. */
export function needsOf({
  credentials,
  allowedHosts,
}: Pick<CreateToolInput, "credentials" | "allowedHosts">): ApprovalNeeds {
  const names = [...new Set(credentials.map(({ name }) => name))];
  return {
    credentials: names.map((name) => {
      const same = credentials.filter((credential) => credential.name === name);
      // A declaration without hosts requests all hosts of the credential.
      const isOpen = same.some(({ hosts }) => hosts.length === 0);
      return {
        name,
        hosts: isOpen ? ["*"] : [...new Set(same.flatMap(({ hosts }) => hosts))],
        expose: same.some(({ expose }) => expose === true),
      };
    }),
    allowedHosts: [...new Set(allowedHosts)],
  };
}

/** The needs that are not approved; empty if all are. */
export function subtractNeeds(
  needs: ApprovalNeeds,
  approved: ApprovalNeeds | undefined,
): ApprovalNeeds {
  const known = new Map(approved?.credentials.map((credential) => [credential.name, credential]));
  return {
    credentials: needs.credentials.flatMap(({ name, hosts, expose }) => {
      const before = known.get(name);
      if (before === undefined) return [{ name, hosts, expose }];
      const more = {
        name,
        hosts: hosts.filter((host) => !isWithin(host, before.hosts)),
        expose: expose && !before.expose,
      };
      return more.hosts.length > 0 || more.expose ? [more] : [];
    }),
    allowedHosts: needs.allowedHosts.filter(
      (host) => !isWithin(host, approved?.allowedHosts ?? []),
    ),
  };
}

/**
 * What an approval covers of a version with this code. Exposing a value was approved for the reviewed code only, so
 * other code does not get it.
 */
export function approvedFor(
  codeHash: string,
  row: { needs: string; approved_code: string | null } | undefined,
): ApprovalNeeds | undefined {
  if (row === undefined) return undefined;
  const approved = readNeeds(row.needs);
  return row.approved_code === codeHash ? approved : withoutExposure(approved);
}

export function withoutExposure({ credentials, allowedHosts }: ApprovalNeeds): ApprovalNeeds {
  return {
    credentials: credentials.map((credential) => ({ ...credential, expose: false })),
    allowedHosts,
  };
}

/** Parses the stored needs of an approval. */
export function readNeeds(text: string): ApprovalNeeds {
  return JSON.parse(text) as ApprovalNeeds;
}

/** The union of several needs. */
export function joinNeeds(all: readonly ApprovalNeeds[]): ApprovalNeeds {
  const asked = all.flatMap(({ credentials }) => credentials);
  return {
    credentials: [...Map.groupBy(asked, ({ name }) => name)].map(([name, same]) => ({
      name,
      hosts: [...new Set(same.flatMap(({ hosts }) => hosts))],
      expose: same.some(({ expose }) => expose),
    })),
    allowedHosts: [...new Set(all.flatMap(({ allowedHosts }) => allowedHosts))],
  };
}

export function hasNoNeeds({ credentials, allowedHosts }: ApprovalNeeds): boolean {
  return credentials.length === 0 && allowedHosts.length === 0;
}

/** Whether `added` contains all of `unapproved`. Both must be computed from the same needs. */
export function isAdded(unapproved: ApprovalNeeds, added: ApprovalNeeds): boolean {
  const names = new Map(added.credentials.map((credential) => [credential.name, credential]));
  return (
    unapproved.allowedHosts.every((host) => added.allowedHosts.includes(host)) &&
    unapproved.credentials.every(({ name, hosts, expose }) => {
      const more = names.get(name);
      if (more === undefined || (expose && !more.expose)) return false;
      return hosts.every((host) => more.hosts.includes(host));
    })
  );
}

/** Whether a host, or any host of a wildcard, matches one of the others. */
export function overlaps(host: string, others: readonly string[]): boolean {
  return isWithin(host, others) || others.some((other) => isWithin(other, [host]));
}

/** Whether the approved entries cover a host, or all hosts of a wildcard: literally, or by a wildcard. */
function isWithin(host: string, approved: readonly string[]): boolean {
  return approved.some((entry) => entry === host || entry === "*" || isBelow(host, entry));
}

const entryPattern = /^(?<scheme>http:\/\/)?(?<star>\*\.)?(?<name>[^:[\]]+)(?::(?<port>\d+))?$/;

function isBelow(host: string, wildcard: string): boolean {
  const inner = entryPattern.exec(host)?.groups;
  const outer = entryPattern.exec(wildcard)?.groups;
  if (inner === undefined || outer?.["star"] === undefined) return false;
  const isAddress = /^[\d.]+$/.test(inner["name"] ?? "");
  return (
    !isAddress &&
    inner["scheme"] === outer["scheme"] &&
    portOf(inner) === portOf(outer) &&
    (inner["name"] ?? "").endsWith(`.${outer["name"]}`)
  );
}

function portOf({ scheme, port }: Record<string, string | undefined>): string {
  return port ?? (scheme === undefined ? "443" : "80");
}
