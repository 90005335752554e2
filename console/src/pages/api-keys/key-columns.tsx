import { Link } from "@tanstack/react-router";
import type { ApiKey } from "@toolhost/contract";
import { Badge, When } from "#components/badges";
import { Button } from "#components/button";
import type { Column } from "#components/table-column";
import { messages } from "./messages.ts";

const text = messages.row;
const timeOf = (at: string | null) => (at === null ? 0 : Date.parse(at));

const nameColumns: readonly Column<ApiKey>[] = [
  {
    id: "name",
    label: text.columns.name,
    width: "minmax(0,1.5fr)",
    phone: "title",
    sortBy: ({ name }) => name,
    cell: ({ id, name }) => (
      <Link
        to="/runs"
        search={{ apiKeyId: id }}
        title={text.runsLabel(name)}
        className="ui-row-link"
      >
        {name}
      </Link>
    ),
  },
  {
    id: "prefix",
    label: text.columns.prefix,
    width: "7.5rem",
    cell: ({ prefix }) => <code className="text-xs text-soft">{prefix}…</code>,
  },
];

const useColumns: readonly Column<ApiKey>[] = [
  {
    id: "scopes",
    label: text.columns.scopes,
    width: "minmax(0,2fr)",
    phone: "line",
    cell: ({ scopes }) => (
      <code title={scopes.join(", ")} className="text-xs text-soft">
        {scopes.join(", ")}
      </code>
    ),
  },
  {
    id: "created",
    label: text.columns.created,
    width: "7.5rem",
    phone: "none",
    sortBy: ({ createdAt }) => timeOf(createdAt),
    cell: ({ createdAt }) => (
      <span className="text-soft">
        <When at={createdAt} />
      </span>
    ),
  },
  {
    id: "last-used",
    label: text.columns.lastUsed,
    width: "7.5rem",
    sortBy: ({ lastUsedAt }) => timeOf(lastUsedAt),
    cell: ({ lastUsedAt }) => (
      <span className="text-soft">
        {lastUsedAt === null ? text.neverUsed : <When at={lastUsedAt} />}
      </span>
    ),
  },
];

/** The columns of API keys, without their values; with their owners if they are of all members. */
export function keyColumns({
  now,
  ownerOf,
  onRevoke,
}: {
  now: number;
  ownerOf: ((userId: string) => string) | undefined;
  onRevoke: (key: ApiKey) => void;
}): readonly Column<ApiKey>[] {
  const owner: Column<ApiKey> = {
    id: "owner",
    label: text.columns.owner,
    width: "minmax(0,1fr)",
    sortBy: ({ userId }) => ownerOf?.(userId ?? "") ?? "",
    cell: ({ userId }) => ownerOf?.(userId ?? ""),
  };
  return [
    ...nameColumns,
    ...(ownerOf === undefined ? [] : [owner]),
    ...useColumns,
    {
      id: "expires",
      label: text.columns.expires,
      width: "7.5rem",
      // A key without expiration is the last to expire.
      sortBy: ({ expiresAt }) => (expiresAt === null ? Number.MAX_SAFE_INTEGER : timeOf(expiresAt)),
      cell: ({ expiresAt }) =>
        expiresAt === null ? (
          <span className="text-soft">{text.noExpiration}</span>
        ) : timeOf(expiresAt) < now ? (
          <Badge tone="bad">{text.expired}</Badge>
        ) : (
          <span className="text-soft">
            <When at={expiresAt} />
          </span>
        ),
    },
    {
      id: "actions",
      label: "",
      width: "6rem",
      isEnd: true,
      phone: "end",
      cell: (key) => (
        <Button
          look="quiet"
          isSmall
          aria-label={text.revokeLabel(key.name)}
          onPress={() => onRevoke(key)}
        >
          {text.revoke}
        </Button>
      ),
    },
  ];
}
