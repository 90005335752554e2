import { Link } from "@tanstack/react-router";
import type { Credential, Tool } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Badge } from "#components/badges";
import { Button } from "#components/button";
import { MoreButton } from "#components/more-button";
import { Menu } from "#components/menu";
import type { Column } from "#components/table-column";
import { timeColumn } from "#components/time-column";
import { messages } from "./messages.ts";
import { Name } from "#components/name";

const text = messages.row;
const statusTones = { ready: "good", awaiting_consent: "warn", needs_reconnect: "bad" } as const;

type Actions = {
  mayChange: (credential: Credential) => boolean;
  onConnect: (credential: Credential) => void;
  onReplace: (credential: Credential) => void;
  onExpose: (credential: Credential) => void;
  onDelete: (credential: Credential) => void;
};

const nameColumns: readonly Column<Credential>[] = [
  {
    id: "name",
    label: text.columns.name,
    width: "minmax(0,1.5fr)",
    phone: "title",
    sortBy: ({ name }) => name,
    cell: ({ name, problem }) => (
      <span title={problem ?? name} className="font-mono text-xs font-medium">
        <Name>{name}</Name>
      </span>
    ),
  },
  {
    id: "status",
    label: text.columns.status,
    width: "minmax(0,1fr)",
    cell: (credential) => <Status credential={credential} />,
  },
  {
    id: "owner",
    label: text.columns.owner,
    width: "6.5rem",
    sortBy: ({ owner }) => text[owner],
    cell: ({ owner }) => text[owner],
  },
  {
    id: "hosts",
    label: text.columns.hosts,
    width: "minmax(0,1.5fr)",
    phone: "wrap",
    cell: ({ hosts }) => <span title={hosts.join(", ")}>{hosts.join(", ")}</span>,
  },
];

const timeColumns: readonly Column<Credential>[] = [
  timeColumn({
    id: "expires",
    label: text.columns.expires,
    none: "",
    at: ({ expiresAt }) => expiresAt,
  }),
  timeColumn({ id: "last-used", label: text.columns.lastUsed, at: ({ lastUsedAt }) => lastUsedAt }),
];

/** The columns of the credentials, without their values. */
export function credentialColumns(
  toolsByName: ReadonlyMap<string, readonly Tool[]>,
  actions: Actions,
): readonly Column<Credential>[] {
  return [
    ...nameColumns,
    {
      id: "used-by",
      label: text.columns.usedBy,
      width: "minmax(0,1.2fr)",
      cell: ({ name }) => <UsedBy tools={toolsByName.get(name) ?? []} />,
    },
    ...timeColumns,
    {
      id: "actions",
      label: "",
      width: "auto",
      isEnd: true,
      phone: "end",
      cell: (credential) => <CredentialActions credential={credential} actions={actions} />,
    },
  ];
}

function Status({
  credential: { kind, status, exposable, problem },
}: {
  credential: Credential;
}): ReactNode {
  // An empty cell gets no separator where rows are stacked.
  if (kind !== "oauth2" && problem === null && !exposable) return null;
  return (
    <span title={problem ?? undefined}>
      {kind === "oauth2" ? (
        <Badge tone={statusTones[status]}>{text.status[status]}</Badge>
      ) : problem === null ? null : (
        <Badge tone="bad">{problem}</Badge>
      )}
      {exposable ? <Badge tone="warn">{text.exposed}</Badge> : null}
    </span>
  );
}

function CredentialActions({
  credential,
  actions: { mayChange, onConnect, onReplace, onExpose, onDelete },
}: {
  credential: Credential;
  actions: Actions;
}): ReactNode {
  const { name, kind, status, exposable } = credential;
  if (!mayChange(credential))
    return <span className="text-xs text-soft">{text.managedByAdmins}</span>;
  const isNew = status === "awaiting_consent";
  return (
    <div className="flex items-center justify-end gap-1">
      {kind === "oauth2" ? (
        <Button
          isSmall
          aria-label={isNew ? text.connectLabel(name) : text.reconnectLabel(name)}
          onPress={() => onConnect(credential)}
        >
          {isNew ? text.connect : text.reconnect}
        </Button>
      ) : null}
      <Menu
        label={text.menu(name)}
        trigger={<MoreButton label={text.menuButton(name)} isSmall />}
        entries={[
          ...(kind === "value"
            ? [{ id: "replace", label: text.replace, onAction: () => onReplace(credential) }]
            : []),
          {
            id: "expose",
            label: exposable ? text.hideFromCode : text.exposeToCode,
            onAction: () => onExpose(credential),
          },
          {
            id: "delete",
            label: text.delete,
            isDangerous: true,
            onAction: () => onDelete(credential),
          },
        ]}
      />
    </div>
  );
}

function UsedBy({ tools }: { tools: readonly Tool[] }): ReactNode {
  const [first, ...rest] = tools;
  if (first === undefined) return <span className="text-soft">{text.usedByNone}</span>;
  return (
    <span title={tools.map(({ title }) => title).join(", ")}>
      <Link to="/tools/$name" params={{ name: first.name }} className="text-strong hover:underline">
        <Name>{first.title}</Name>
      </Link>
      {rest.length > 0 ? text.andMore(rest.length) : ""}
    </span>
  );
}
