import { useQuery } from "@tanstack/react-query";
import type { Me } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import type { ReactNode } from "react";
import { itemQuery, meQuery } from "#api/queries";
import { LinkButton } from "#components/button";
import { Card, Page, ProblemNote, Skeleton } from "#components/page";
import { ChatCard } from "./chat-card.tsx";
import { DeleteCard } from "./delete-card.tsx";
import { LimitsCard } from "./limits-card.tsx";
import { WorkspaceName } from "./workspace-name.tsx";
import { NewWorkspaceCard } from "./new-workspace-card.tsx";
import { RetentionCard } from "./retention-card.tsx";
import { AgentsCard } from "./agents-card.tsx";
import { SwitchCard } from "./switch-card.tsx";
import { UsageCard } from "./usage-card.tsx";
import { messages } from "./messages.ts";

/** Settings, usage and limits of the workspace. */
export function SettingsPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  return me === undefined ? null : <Settings me={me} />;
}

function Settings({ me }: { me: Me }): ReactNode {
  const { id, name, role } = me.workspace;
  const isManaged = mayDo(role, "workspace:configure");
  return (
    <Page
      title={messages.title}
      lead={isManaged ? messages.lead(name) : messages.readOnlyLead(name)}
    >
      {isManaged ? <WorkspaceName workspaceId={id} name={name} /> : null}
      <MeasuredCards workspaceId={id} isManaged={isManaged} />
      {isManaged ? <ChatCard workspaceId={id} /> : null}
      {mayDo(role, "webhooks:manage") ? <WebhooksCard /> : null}
      <NewWorkspaceCard />
      {mayDo(role, "workspace:delete") ? <DeleteCard workspaceId={id} name={name} /> : null}
    </Page>
  );
}

function WebhooksCard(): ReactNode {
  const text = messages.webhooks;
  return (
    <Card title={text.title} actions={<LinkButton to="/webhooks">{text.action}</LinkButton>}>
      <p className="text-sm text-soft">{text.lead}</p>
    </Card>
  );
}

function MeasuredCards({
  workspaceId,
  isManaged,
}: {
  workspaceId: string;
  isManaged: boolean;
}): ReactNode {
  const { data, error, refetch } = useQuery(
    itemQuery("/workspaces/{id}/settings", { params: { id: workspaceId } }),
  );
  if (data === undefined) {
    return error === null ? (
      <Skeleton />
    ) : (
      <ProblemNote error={error} onRetry={() => void refetch()} />
    );
  }
  return (
    <>
      <UsageCard usage={data.usage} limits={data.limits} />
      <RetentionCard workspaceId={workspaceId} retention={data.retention} isManaged={isManaged} />
      <SwitchCard
        workspaceId={workspaceId}
        setting="autoAcceptUpdates"
        isOn={data.autoAcceptUpdates}
        isManaged={isManaged}
        text={messages.updates}
      />
      <AgentsCard
        workspaceId={workspaceId}
        length={data.agentOutputCharacters}
        isManaged={isManaged}
      />
      <SwitchCard
        workspaceId={workspaceId}
        setting="learnFromSearches"
        isOn={data.learnFromSearches}
        isManaged={isManaged}
        text={messages.searches}
      />
      <LimitsCard limits={data.limits} />
    </>
  );
}
