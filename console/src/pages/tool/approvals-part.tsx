import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Credential, ToolApprovals, ToolDetail } from "@toolhost/contract";
import type { ReactNode } from "react";
import { send } from "#api/client";
import { membersQuery, nameOf } from "#api/people";
import { wordsOf } from "#api/problem";
import { itemQuery, meQuery } from "#api/queries";
import { Badge, When } from "#components/badges";
import { Button } from "#components/button";
import { Card, ProblemNote, Skeleton } from "#components/page";
import { showToast } from "#components/toasts";
import { isAdmin } from "#lib/roles";

type Approval = ToolApprovals["approvals"][number];
type Needs = ToolApprovals["wanted"];

/** What the live version wants of credentials, and which side has approved it. */
export function ApprovalsPart({ tool: { name } }: { tool: ToolDetail }): ReactNode {
  const { data, error, refetch } = useQuery(itemQuery<ToolApprovals>(`/tools/${name}/approvals`));
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
            Version {data.version} asks for this. Running it approves nothing: the owner of each
            credential decides here.
          </p>
          <NeedsList needs={data.wanted} />
          <ExposeNote needs={data.wanted} />
          <Missing name={name} data={data} />
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

/** What it means that a version sees values. */
function ExposeNote({ needs }: { needs: Needs }): ReactNode {
  const names = needs.credentials.filter(({ expose }) => expose).map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <p className="text-sm text-bad">
      The tool’s code sees the value of {names.join(", ")} and can send or show it in ways that the
      service cannot recognise. Approve it only if you trust the code of this version. If somebody
      else changes the code, you are asked again.
    </p>
  );
}

/** Leads to where a credential that nobody has added yet is added, which approves the version as well. */
function Missing({ name, data }: { name: string; data: ToolApprovals }): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { data: credentials } = useQuery({
    ...itemQuery<Credential[]>("/credentials", { limit: 200 }),
    enabled: me?.scopes.includes("credentials:write") === true,
  });
  if (me === undefined || credentials === undefined) return null;
  const known = new Set(credentials.map((credential) => credential.name));
  const missing = data.wanted.credentials.filter((credential) => !known.has(credential.name));
  if (missing.length === 0) return null;
  return (
    <ul className="grid gap-1 text-sm">
      {missing.map(({ name: credential }) => {
        const query = new URLSearchParams({
          connect: credential,
          tool: name,
          version: String(data.version),
          workspace: me.workspace.id,
        });
        return (
          <li key={credential}>
            <a className="text-strong underline" href={`/credentials?${query.toString()}`}>
              Add {credential}
            </a>{" "}
            <span className="text-soft">and approve version {data.version}</span>
          </li>
        );
      })}
    </ul>
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
  const change = useMutation({
    mutationFn: (isGiven: boolean) =>
      isGiven
        ? send("POST", `/tools/${name}/approvals`, { body: { version, owner } })
        : send("DELETE", `/tools/${name}/approvals`, { query: { owner } }),
    onSuccess: (_, isGiven) => {
      showToast(isGiven ? "Approved." : "Withdrawn.");
      return client.invalidateQueries({ queryKey: ["tools", name, "approvals"] });
    },
    onError: (error) => showToast(wordsOf(error), "bad"),
  });
  const isUsers = owner === "user";
  const mayChange =
    me?.scopes.includes("credentials:write") === true && (isUsers || isAdmin(me.workspace.role));
  return (
    <div className="grid gap-2 rounded-lg border border-line p-3 text-sm">
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
            {by === me?.user.id ? "you" : nameOf(members, me, by)}, <When at={at} />
          </>
        )}
      </p>
      {!covered && approved !== null && how !== "withdrawn" ? <New needs={approval.new} /> : null}
      {mayChange ? (
        <div className="flex flex-wrap gap-2">
          {covered ? null : (
            <Button
              isPending={change.isPending}
              aria-label={`Approve for ${isUsers ? "your own" : "the workspace's"} credentials`}
              onPress={() => change.mutate(true)}
            >
              Approve
            </Button>
          )}
          {approved === null || how === "withdrawn" ? null : (
            <Button
              look="quiet"
              isPending={change.isPending}
              aria-label={`Withdraw for ${isUsers ? "your own" : "the workspace's"} credentials`}
              onPress={() => change.mutate(false)}
            >
              Withdraw
            </Button>
          )}
        </div>
      ) : null}
    </div>
  );
}

/** What the live version asks for beyond what was approved. */
function New({ needs }: { needs: Needs }): ReactNode {
  return (
    <div>
      <p>New since then:</p>
      <NeedsList needs={needs} />
      {needs.allowedHosts.length === 0 ? null : (
        <p className="text-soft">It also reaches {needs.allowedHosts.join(", ")}.</p>
      )}
    </div>
  );
}
