import { useQuery } from "@tanstack/react-query";
import type { ApiKey } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { membersQuery, memberName } from "#api/members";
import { meQuery } from "#api/queries";
import { Badge, When } from "#components/badges";
import { Button } from "#components/button";

/** A key as it is listed: all but its value. */
export function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }): ReactNode {
  const { name, prefix, scopes, createdAt, lastUsedAt, expiresAt, userId } = apiKey;
  const [now] = useState(() => Date.now());
  const isOver = expiresAt !== null && Date.parse(expiresAt) < now;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{name}</span>
          <code className="font-mono text-xs text-soft">{prefix}…</code>
          {isOver ? <Badge tone="bad">expired</Badge> : null}
        </div>
        <div className="flex flex-wrap gap-1">
          {scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </div>
        <p className="text-sm text-soft">
          {userId === undefined ? null : <Whose userId={userId} />}
          Made <When at={createdAt} />, used <When at={lastUsedAt} />
          {expiresAt === null ? null : (
            <>
              , {isOver ? "ended" : "ends"} <When at={expiresAt} />
            </>
          )}
        </p>
      </div>
      <Button look="quiet" aria-label={`Revoke ${name}`} onPress={onRevoke}>
        Revoke
      </Button>
    </div>
  );
}

function Whose({ userId }: { userId: string }): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { data: members } = useQuery({
    ...membersQuery(me?.workspace.id ?? ""),
    enabled: me !== undefined,
  });
  return <>{memberName(members, me, userId)}. </>;
}
