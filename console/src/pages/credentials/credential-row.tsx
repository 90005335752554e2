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

type Props = {
  credential: Credential;
  usedBy: readonly Tool[];
  onConnect: () => void;
  onReplace: () => void;
  onExpose: () => void;
  onDelete: () => void;
};

const states = {
  ready: { tone: "good", words: "connected" },
  awaiting_consent: { tone: "warn", words: "not connected yet" },
  needs_reconnect: { tone: "bad", words: "connect it again" },
} as const;

/** A credential as it is listed: all but its value. */
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
  const state = states[status];
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-mono text-sm font-medium">{name}</span>
          <Badge>{owner === "workspace" ? "workspace" : "yours"}</Badge>
          {kind === "oauth2" ? <Badge tone={state.tone}>{state.words}</Badge> : null}
          {exposable ? <Badge tone="warn">code may read it</Badge> : null}
        </div>
        {problem === null ? null : <p className="text-sm text-bad">{problem}</p>}
        <p className="text-sm text-soft">
          Sent only to <span className="font-mono text-[13px]">{hosts.join(", ")}</span>
        </p>
        <p className="text-sm text-soft">
          {lastUsedAt === null ? (
            "Not used yet"
          ) : (
            <>
              Used <When at={lastUsedAt} />
            </>
          )}
          <UsedBy tools={usedBy} />
        </p>
      </div>
      {mayChange ? (
        <div className="flex items-center gap-1">
          {kind === "oauth2" ? (
            <Button aria-label={`Connect ${name}`} onPress={onConnect}>
              {status === "awaiting_consent" ? "Connect" : "Connect again"}
            </Button>
          ) : null}
          <Menu
            label={`What to do with ${name}`}
            trigger={
              <IconButton label={`More for ${name}`}>
                <MoreHorizontal size={18} aria-hidden />
              </IconButton>
            }
            entries={[
              ...(kind === "value"
                ? [{ id: "replace", label: "Replace the value", onAction: onReplace }]
                : []),
              {
                id: "expose",
                label: exposable ? "Hide the value from code" : "Let code read the value",
                onAction: onExpose,
              },
              { id: "delete", label: "Delete", isDangerous: true, onAction: onDelete },
            ]}
          />
        </div>
      ) : (
        <p className="text-sm text-soft">Admins manage it.</p>
      )}
    </div>
  );
}

const maxShown = 3;

function UsedBy({ tools }: { tools: readonly Tool[] }): ReactNode {
  if (tools.length === 0) return <>, asked for by no tool that you see</>;
  const rest = tools.length - maxShown;
  return (
    <>
      , asked for by{" "}
      {tools.slice(0, maxShown).map(({ name, title }, index) => (
        <span key={name}>
          {index === 0 ? "" : ", "}
          <Link to="/tools/$name" params={{ name }} className="text-strong underline">
            {title}
          </Link>
        </span>
      ))}
      {rest > 0 ? ` and ${rest} more` : ""}
    </>
  );
}
