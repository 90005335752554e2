import { Link } from "@tanstack/react-router";
import type { ApiKey, ConnectedApp, Scope } from "@toolhost/contract";
import { Button } from "#components/button";
import type { Column } from "#components/table-column";
import { ScopeList } from "#components/scope-list";
import { expirationColumn, timeColumn } from "#components/time-column";
import { messages } from "./messages.ts";
import { Name } from "#components/name";

const text = messages.columns;

/** An API key or a connected app. */
export type Access = {
  kind: "key" | "app";
  id: string;
  name: string;
  owner: string;
  scopes: readonly Scope[];
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
};

/** The keys and apps as one list, newest first. */
export function toAccess(
  keys: readonly ApiKey[],
  apps: readonly ConnectedApp[],
  nameOf: (userId: string) => string,
): Access[] {
  const all: Access[] = [
    ...keys.map(({ userId, ...key }) => ({
      ...key,
      kind: "key" as const,
      name: key.name,
      owner: nameOf(userId ?? ""),
    })),
    ...apps.map(({ clientName, user, ...app }) => ({
      ...app,
      kind: "app" as const,
      name: clientName,
      owner: nameOf(user?.id ?? ""),
      expiresAt: null,
    })),
  ];
  return all.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
}

/** The columns of API keys and connected apps. */
export function accessColumns(
  now: number,
  onRevoke: (access: Access) => void,
): readonly Column<Access>[] {
  return [
    {
      id: "name",
      label: text.name,
      width: "minmax(0,1.2fr)",
      phone: "title",
      sortBy: ({ name }) => name,
      cell: ({ kind, id, name }) => (
        <Link
          to="/runs"
          search={kind === "key" ? { apiKeyId: id } : { appId: id }}
          className="ui-row-link"
        >
          <Name>{name}</Name>
        </Link>
      ),
    },
    {
      id: "kind",
      label: text.kind,
      width: "7.5rem",
      sortBy: ({ kind }) => messages.kinds[kind],
      cell: ({ kind }) => messages.kinds[kind],
    },
    {
      id: "owner",
      label: text.owner,
      width: "minmax(0,1fr)",
      sortBy: ({ owner }) => owner,
      cell: ({ owner }) => <Name>{owner}</Name>,
    },
    {
      id: "scopes",
      label: text.scopes,
      width: "minmax(0,1.5fr)",
      phone: "wrap",
      cell: ({ scopes }) => <ScopeList scopes={scopes} />,
    },
    timeColumn({ id: "created", label: text.created, phone: "none", at: (one) => one.createdAt }),
    timeColumn({ id: "last-used", label: text.lastUsed, at: (one) => one.lastUsedAt }),
    expirationColumn({ id: "expires", label: text.expires, now, at: (one) => one.expiresAt }),
    {
      id: "actions",
      label: "",
      width: "6rem",
      isEnd: true,
      phone: "end",
      cell: (access) => (
        <Button
          look="quiet"
          isSmall
          aria-label={messages.revoke.named(access.name)}
          onPress={() => onRevoke(access)}
        >
          {messages.revoke.label}
        </Button>
      ),
    },
  ];
}
