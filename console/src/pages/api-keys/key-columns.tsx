import { Link } from "@tanstack/react-router";
import type { ApiKey } from "@toolhost/contract";
import { Button } from "#components/button";
import type { Column } from "#components/table-column";
import { ScopeList } from "#components/scope-list";
import { expirationColumn, timeColumn } from "#components/time-column";
import { messages } from "./messages.ts";
import { Name } from "#components/name";

const text = messages.row;

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
        <Name>{name}</Name>
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
    phone: "wrap",
    cell: ({ scopes }) => <ScopeList scopes={scopes} />,
  },
  timeColumn({
    id: "created",
    label: text.columns.created,
    phone: "none",
    at: ({ createdAt }) => createdAt,
  }),
  timeColumn({ id: "last-used", label: text.columns.lastUsed, at: ({ lastUsedAt }) => lastUsedAt }),
];

/** The columns of API keys, without their values. */
export function keyColumns({
  now,
  onRevoke,
}: {
  now: number;
  onRevoke: (key: ApiKey) => void;
}): readonly Column<ApiKey>[] {
  return [
    ...nameColumns,
    ...useColumns,
    expirationColumn({
      id: "expires",
      label: text.columns.expires,
      now,
      at: ({ expiresAt }) => expiresAt,
    }),
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
