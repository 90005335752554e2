import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Credential, Tool } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import { MoreHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { meQuery } from "#api/queries";
import { Badge, When } from "#components/badges";
import { Button, IconButton } from "#components/button";
import { Menu } from "#components/menu";
import { messages } from "./messages.ts";

type Props = {
  credential: Credential;
  usedBy: readonly Tool[];
  onConnect: () => void;
  onReplace: () => void;
  onExpose: () => void;
  onDelete: () => void;
};

const text = messages.row;
const statusTones = { ready: "good", awaiting_consent: "warn", needs_reconnect: "bad" } as const;

/** A credential in the list, without its value. */
export function CredentialRow({
  credential,
  usedBy,
  onConnect,
  onReplace,
  onExpose,
  onDelete,
}: Props): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { name, owner, kind, status, problem, hosts, exposable, lastUsedAt } = credential;
  const mayChange = owner === "user" || mayDo(me?.workspace.role ?? "", "credentials:share");

  return (
    <div className="ui-row">
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-mono text-sm font-medium">{name}</span>
          <Badge>{text[owner]}</Badge>
          {kind === "oauth2" ? (
            <Badge tone={statusTones[status]}>{text.status[status]}</Badge>
          ) : null}
          {exposable ? <Badge tone="warn">{text.exposed}</Badge> : null}
        </div>
        {problem === null ? null : <p className="text-sm text-bad">{problem}</p>}
        <p className="text-sm text-soft">
          {text.hosts} <span className="font-mono text-xs">{hosts.join(", ")}</span>
        </p>
        <p className="text-sm text-soft">
          {lastUsedAt === null ? (
            text.neverUsed
          ) : (
            <>
              {text.lastUsed} <When at={lastUsedAt} />
            </>
          )}
          <UsedBy tools={usedBy} />
        </p>
      </div>
      {mayChange ? (
        <div className="flex items-center gap-1">
          {kind === "oauth2" ? (
            <Button
              aria-label={
                status === "awaiting_consent" ? text.connectLabel(name) : text.reconnectLabel(name)
              }
              onPress={onConnect}
            >
              {status === "awaiting_consent" ? text.connect : text.reconnect}
            </Button>
          ) : null}
          <Menu
            label={text.menu(name)}
            trigger={
              <IconButton label={text.menuButton(name)}>
                <MoreHorizontal size={18} aria-hidden />
              </IconButton>
            }
            entries={[
              ...(kind === "value"
                ? [{ id: "replace", label: text.replace, onAction: onReplace }]
                : []),
              {
                id: "expose",
                label: exposable ? text.hideFromCode : text.exposeToCode,
                onAction: onExpose,
              },
              { id: "delete", label: text.delete, isDangerous: true, onAction: onDelete },
            ]}
          />
        </div>
      ) : (
        <p className="text-sm text-soft">{text.managedByAdmins}</p>
      )}
    </div>
  );
}

const maxShown = 3;

function UsedBy({ tools }: { tools: readonly Tool[] }): ReactNode {
  if (tools.length === 0) return <>{text.usedByNone}</>;
  const rest = tools.length - maxShown;
  return (
    <>
      {text.usedBy}{" "}
      {tools.slice(0, maxShown).map(({ name, title }, index) => (
        <span key={name}>
          {index === 0 ? "" : ", "}
          <Link to="/tools/$name" params={{ name }} className="text-strong underline">
            {title}
          </Link>
        </span>
      ))}
      {rest > 0 ? text.andMore(rest) : ""}
    </>
  );
}
