import { Link } from "@tanstack/react-router";
import type { ConnectedApp } from "@toolhost/contract";
import { scopes } from "@toolhost/contract/scopes";
import { Button } from "#components/button";
import type { Column } from "#components/table-column";
import { timeColumn } from "#components/time-column";
import { appOrigin } from "./app-origin.ts";
import { messages } from "./messages.ts";
import { Name } from "#components/name";

const text = messages.row;

const nameColumns: readonly Column<ConnectedApp>[] = [
  {
    id: "app",
    label: text.columns.app,
    width: "minmax(0,1.2fr)",
    phone: "title",
    sortBy: ({ clientName }) => clientName,
    cell: ({ id, clientName }) => (
      <Link to="/runs" search={{ appId: id }} className="ui-row-link">
        <Name>{clientName}</Name>
      </Link>
    ),
  },
  {
    id: "origin",
    label: text.columns.origin,
    width: "minmax(0,1fr)",
    cell: (app) => <span className="text-soft">{appOrigin(app)}</span>,
  },
  {
    id: "client-id",
    label: text.clientId,
    width: "minmax(0,1fr)",
    phone: "none",
    isOptional: true,
    cell: ({ clientId }) => <code className="text-xs">{clientId}</code>,
  },
];

const useColumns: readonly Column<ConnectedApp>[] = [
  {
    id: "scopes",
    label: text.scopes,
    width: "minmax(0,1.5fr)",
    phone: "wrap",
    cell: (app) => {
      const list = app.scopes.map((scope) => scopes[scope]).join(", ");
      return (
        <span title={list} className="text-soft">
          {list}
        </span>
      );
    },
  },
  timeColumn({
    id: "connected",
    label: text.connected,
    phone: "none",
    at: ({ createdAt }) => createdAt,
  }),
  timeColumn({ id: "last-used", label: text.lastUsed, at: ({ lastUsedAt }) => lastUsedAt }),
];

/** The columns of connected apps and their workspaces. */
export function appColumns({
  workspaceOf,
  onDisconnect,
}: {
  workspaceOf: (id: string) => string | undefined;
  onDisconnect: (app: ConnectedApp) => void;
}): readonly Column<ConnectedApp>[] {
  const workspace: Column<ConnectedApp> = {
    id: "workspace",
    label: text.columns.workspace,
    width: "minmax(0,1fr)",
    cell: ({ workspaceId }) => workspaceOf(workspaceId) ?? text.anotherWorkspace,
  };
  return [
    ...nameColumns,
    workspace,
    ...useColumns,
    {
      id: "actions",
      label: "",
      width: "7rem",
      isEnd: true,
      phone: "end",
      cell: (app) => (
        <Button
          look="quiet"
          isSmall
          aria-label={text.disconnectLabel(app.clientName)}
          onPress={() => onDisconnect(app)}
        >
          {text.disconnect}
        </Button>
      ),
    },
  ];
}
