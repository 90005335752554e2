import { useQuery } from "@tanstack/react-query";
import type { ApiKey } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { membersQuery, memberName } from "#api/members";
import { meQuery } from "#api/queries";
import { Badge, When } from "#components/badges";
import { Button, LinkButton } from "#components/button";
import { messages } from "./messages.ts";

const text = messages.row;

/** An API key in the list, without its value. */
export function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }): ReactNode {
  const { id, name, prefix, scopes, createdAt, lastUsedAt, expiresAt, userId } = apiKey;
  const [now] = useState(() => Date.now());
  const isExpired = expiresAt !== null && Date.parse(expiresAt) < now;
  return (
    <div className="ui-row">
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{name}</span>
          <code className="font-mono text-xs text-soft">{prefix}…</code>
          {isExpired ? <Badge tone="bad">{text.expired}</Badge> : null}
        </div>
        <div className="flex flex-wrap gap-1">
          {scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </div>
        <p className="text-sm text-soft">
          {userId === undefined ? null : <OwnerName userId={userId} />}
          {text.created} <When at={createdAt} />
          {lastUsedAt === null ? (
            text.neverUsed
          ) : (
            <>
              {text.lastUsed} <When at={lastUsedAt} />
            </>
          )}
          {expiresAt === null ? null : (
            <>
              {isExpired ? text.expiredAt : text.expiresAt} <When at={expiresAt} />
            </>
          )}
        </p>
      </div>
      <div className="flex items-center gap-1">
        <LinkButton
          to="/runs"
          search={{ apiKeyId: id }}
          look="quiet"
          aria-label={text.runsLabel(name)}
        >
          {text.runs}
        </LinkButton>
        <Button look="quiet" aria-label={text.revokeLabel(name)} onPress={onRevoke}>
          {text.revoke}
        </Button>
      </div>
    </div>
  );
}

function OwnerName({ userId }: { userId: string }): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { data: members } = useQuery({
    ...membersQuery(me?.workspace.id ?? ""),
    enabled: me !== undefined,
  });
  return text.owner(memberName(members, me, userId));
}
