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
import { messages as allMessages } from "./messages-sharing.ts";

const messages = allMessages.approvals;

type Approval = ToolApprovals["approvals"][number];
type Requirements = ToolApprovals["requested"];

/** The credentials that the live version requests, and whether each side approved them. */
export function ApprovalsSection({ tool: { name } }: { tool: ToolDetail }): ReactNode {
  const { data, error, refetch } = useQuery({
    ...itemQuery("/tools/{name}/approvals", { params: { name } }),
    // The user approves on another page and returns.
    refetchOnWindowFocus: "always",
  });
  return (
    <Card title={messages.title}>
      {error !== null ? (
        <ProblemNote error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={2} />
      ) : data.requested.credentials.length === 0 ? (
        <p className="text-sm text-soft">{messages.none}</p>
      ) : (
        <>
          <Origin approvals={data} />
          <p className="text-sm text-soft">{messages.version(data.version)}</p>
          <RequirementList requirements={data.requested} />
          <Missing approvals={data} />
          <ul className="grid gap-3 lg:grid-cols-2">
            {data.approvals.map((approval) => (
              <li key={approval.owner}>
                <OwnerApproval name={name} version={data.version} approval={approval} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

/** The author of the tool and the workspace it comes from. */
function Origin({ approvals: { tool } }: { approvals: ToolApprovals }): ReactNode {
  const { author, workspace } = tool;
  const name = author === "" ? messages.deletedAccount : author;
  return (
    <p className="text-sm text-soft">
      {workspace.isOwn ? messages.madeHere(name) : messages.madeElsewhere(name, workspace.name)}
    </p>
  );
}

/** What else the next run of this user needs, with links to the pages that provide it. */
function Missing({ approvals: { missing } }: { approvals: ToolApprovals }): ReactNode {
  return (
    <ul className="grid gap-1 text-sm empty:hidden">
      {missing?.map(({ name, reason, connectUrl }) =>
        reason === "not_approved" ? null : (
          <li key={name}>
            <ExternalLink href={connectUrl}>{messages.steps[reason](name)}</ExternalLink>
          </li>
        ),
      )}
    </ul>
  );
}

function ExternalLink({ href, children }: { href: string; children: ReactNode }): ReactNode {
  return (
    <a className="text-strong underline" href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

function RequirementList({ requirements }: { requirements: Requirements }): ReactNode {
  return (
    <ul className="grid gap-1 text-sm">
      {requirements.credentials.map(({ name, hosts, expose }) => (
        <li key={name} className="flex flex-wrap items-center gap-2">
          <code className="font-mono">{name}</code>
          <span className="text-soft">
            {hosts.includes("*") ? messages.everyHost : hosts.join(", ")}
          </span>
          {expose ? <Badge tone="warn">{messages.exposed}</Badge> : null}
        </li>
      ))}
    </ul>
  );
}

function OwnerApproval({
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
      showToast(messages.withdrawn);
      return client.invalidateQueries({ queryKey: ["tools", name, "approvals"] });
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  const isPersonal = owner === "user";
  const canChange =
    me?.scopes.includes("credentials:write") === true &&
    (isPersonal || mayDo(me.workspace.role, "credentials:share"));
  const person = by === me?.user.id ? messages.you : memberName(members, me, by);
  const review = new URLSearchParams({
    approve: String(version),
    owner,
    workspace: me?.workspace.id ?? "",
  });
  return (
    <div className="grid justify-items-start gap-2 rounded-lg border border-line p-3 text-sm">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {messages[owner]}
        <Badge tone={covered ? "good" : "warn"}>
          {covered ? messages.approved : messages.notApproved}
        </Badge>
      </p>
      <p className="text-soft">
        {at === null ? (
          isPersonal ? (
            messages.youDecide
          ) : (
            messages.adminsDecide
          )
        ) : (
          <>
            {how === "withdrawn" ? messages.withdrawnBy(person) : messages.approvedBy(person)}{" "}
            <When at={at} />
          </>
        )}
      </p>
      {canChange && !covered ? (
        <p>
          <ExternalLink href={`/tools/${name}?${review.toString()}`}>
            {messages.review(version)}
          </ExternalLink>
        </p>
      ) : null}
      {canChange && approved !== null && how !== "withdrawn" ? (
        <Button
          isPending={withdrawal.isPending}
          aria-label={messages.withdrawFor[owner]}
          onPress={() => withdrawal.mutate()}
        >
          {messages.withdraw}
        </Button>
      ) : null}
    </div>
  );
}
