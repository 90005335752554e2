import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ToolApprovals, ToolDetail } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { membersQuery, memberName } from "#api/members";
import { errorMessage } from "#api/problem";
import { itemQuery, meQuery } from "#api/queries";
import { Badge, When } from "#components/badges";
import { Button } from "#components/button";
import { Card, ProblemNote, Skeleton } from "#components/page";
import { showToast } from "#components/toasts";

type Approval = ToolApprovals["approvals"][number];
type Needs = ToolApprovals["wanted"];

/** What the live version wants of credentials, and which side has approved it. */
export function ApprovalsSection({ tool: { name } }: { tool: ToolDetail }): ReactNode {
  const { data, error, refetch } = useQuery({
    ...itemQuery("/tools/{name}/approvals", { params: { name } }),
    // The person decides on another page and comes back.
    refetchOnWindowFocus: "always",
  });
  return (
    <Card title="Credentials it may have">
      {error !== null ? (
        <ProblemNote error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={2} />
      ) : data.wanted.credentials.length === 0 ? (
        <p className="text-sm text-soft">It asks for no credentials.</p>
      ) : (
        <>
          <Origin approvals={data} />
          <p className="text-sm text-soft">
            Version {data.version} asks for this. Running it approves nothing.
          </p>
          <NeedsList needs={data.wanted} />
          <Missing approvals={data} />
          <ul className="grid gap-3 lg:grid-cols-2">
            {data.approvals.map((approval) => (
              <li key={approval.owner}>
                <Side name={name} version={data.version} approval={approval} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

/** Who made the tool, and where it comes from. */
function Origin({ approvals: { tool } }: { approvals: ToolApprovals }): ReactNode {
  const { author, workspace } = tool;
  return (
    <p className="text-sm text-soft">
      Made by {author === "" ? "a deleted account" : author}
      {workspace.isOwn ? " in this workspace." : ` in another workspace, ${workspace.name}.`}
    </p>
  );
}

const steps = {
  missing: "Add",
  not_connected: "Connect",
  not_exposable: "Let code read",
} as const;

/** What the person's next run lacks besides an approval, and the page where that is changed. */
function Missing({ approvals: { missing } }: { approvals: ToolApprovals }): ReactNode {
  return (
    <ul className="grid gap-1 text-sm empty:hidden">
      {missing?.map(({ name, reason, connectUrl }) =>
        reason === "not_approved" ? null : (
          <li key={name}>
            <Away href={connectUrl}>
              {steps[reason]} {name}
            </Away>
          </li>
        ),
      )}
    </ul>
  );
}

function Away({ href, children }: { href: string; children: ReactNode }): ReactNode {
  return (
    <a className="text-strong underline" href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

function NeedsList({ needs }: { needs: Needs }): ReactNode {
  return (
    <ul className="grid gap-1 text-sm">
      {needs.credentials.map(({ name, hosts, expose }) => (
        <li key={name} className="flex flex-wrap items-center gap-2">
          <code className="font-mono">{name}</code>
          <span className="text-soft">
            {hosts.includes("*") ? "to every host that the credential names" : hosts.join(", ")}
          </span>
          {expose ? <Badge tone="warn">its code sees the value</Badge> : null}
        </li>
      ))}
    </ul>
  );
}

function Side({
  name,
  version,
  approval,
}: {
  name: string;
  version: number;
  approval: Approval;
}): ReactNode {
  const { owner, covered, approved, how, by, at } = approval;
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const { data: members } = useQuery({
    ...membersQuery(me?.workspace.id ?? ""),
    enabled: me !== undefined,
  });
  const withdrawal = useMutation({
    mutationFn: () =>
      api.send("DELETE /tools/{name}/approvals", { params: { name }, query: { owner } }),
    onSuccess: () => {
      showToast("Approval withdrawn.");
      return client.invalidateQueries({ queryKey: ["tools", name, "approvals"] });
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  const isUsers = owner === "user";
  const mayChange =
    me?.scopes.includes("credentials:write") === true &&
    (isUsers || mayDo(me.workspace.role, "credentials:share"));
  const review = new URLSearchParams({
    approve: String(version),
    owner,
    workspace: me?.workspace.id ?? "",
  });
  return (
    <div className="grid justify-items-start gap-2 rounded-lg border border-line p-3 text-sm">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {isUsers ? "Your own credentials" : "The workspace's credentials"}
        {covered ? <Badge tone="good">approved</Badge> : <Badge tone="warn">not approved</Badge>}
      </p>
      <p className="text-soft">
        {at === null ? (
          isUsers ? (
            "You decide."
          ) : (
            "Owners and admins decide."
          )
        ) : (
          <>
            {how === "withdrawn" ? "Withdrawn" : "Approved"} by{" "}
            {by === me?.user.id ? "you" : memberName(members, me, by)}, <When at={at} />
          </>
        )}
      </p>
      {mayChange && !covered ? (
        <p>
          <Away href={`/tools/${name}?${review.toString()}`}>Review version {version}</Away>
        </p>
      ) : null}
      {mayChange && approved !== null && how !== "withdrawn" ? (
        <Button
          isPending={withdrawal.isPending}
          aria-label={`Withdraw for ${isUsers ? "your own" : "the workspace's"} credentials`}
          onPress={() => withdrawal.mutate()}
        >
          Withdraw
        </Button>
      ) : null}
    </div>
  );
}
