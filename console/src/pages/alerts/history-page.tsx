import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { AlertEvent, Webhook } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import { formatTime } from "@toolhost/ui/time";
import type { ReactNode } from "react";
import { ApiProblem } from "#api/problem";
import { memberName, membersQuery } from "#api/members";
import { itemQuery, listQuery, meQuery } from "#api/queries";
import { Badge, When } from "#components/badges";
import { LinkButton } from "#components/button";
import { NotFoundWithLink } from "#components/not-found-page";
import { BackLink, EmptyState, Page, ProblemNote, Skeleton } from "#components/page";
import { PagedList } from "#components/paged-list";
import { RoleRequired } from "#components/role-required";
import { hostOf } from "../webhooks/webhook-row.tsx";
import { AlertMenu } from "./alert-menu.tsx";
import { StateBadge } from "./alert-row.tsx";
import { AlertDescription } from "./describe-alert.tsx";
import { messages } from "./messages.ts";

const route = getRouteApi("/alerts/$alertId");
const text = messages.history;
const refreshMs = 5_000;
const typeTones = { firing: "bad", resolved: "good", test: "soft" } as const;
const stateTones = { pending: "soft", delivered: "good", dead: "bad" } as const;

/** The notifications of one alert, for admins. */
export function AlertHistoryPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { alertId: id } = route.useParams();
  if (me === undefined) return null;
  return mayDo(me.workspace.role, "alerts:manage") ? (
    <History key={id} id={id} />
  ) : (
    <RoleRequired page={messages.title} right="alerts:manage" />
  );
}

function History({ id }: { id: string }): ReactNode {
  const { data: alert, error } = useQuery({
    ...itemQuery("/alerts/{id}", { params: { id } }),
    refetchInterval: refreshMs,
  });
  const nameOf = useTargetNames();
  const navigate = route.useNavigate();
  if (error instanceof ApiProblem && error.status === 404) {
    return <NotFoundWithLink text={messages.notFound} to="/alerts" />;
  }
  if (alert === undefined) {
    return (
      <Page title={messages.title}>
        {error === null ? <Skeleton /> : <ProblemNote error={error} />}
      </Page>
    );
  }
  return (
    <Page
      title={alert.name}
      lead={<AlertDescription alert={alert} />}
      back={<BackLink to="/alerts">{text.back}</BackLink>}
      actions={
        <>
          {alert.condition.kind === "failure_rate" ? (
            <LinkButton
              to="/runs"
              search={{ status: "failed", toolName: alert.toolName ?? undefined }}
            >
              {text.failedRuns}
            </LinkButton>
          ) : null}
          <AlertMenu alert={alert} onDeleted={() => void navigate({ to: "/alerts" })} />
        </>
      }
    >
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <StateBadge alert={alert} />
        <span className={alert.problem === null ? "text-soft" : "text-bad"}>
          {alert.problem ?? alert.summary ?? messages.notChecked}
        </span>
        {alert.quietHours === null ? null : (
          <span className="text-soft">
            {text.quietHours(
              alert.quietHours.start,
              alert.quietHours.end,
              alert.quietHours.timeZone,
            )}
          </span>
        )}
      </p>
      <PagedList
        label={text.list}
        query={listQuery("/alerts/{id}/events", { params: { id } })}
        idOf={(event) => event.id}
        itemHeight={110}
        refreshMs={refreshMs}
        empty={<EmptyState title={text.empty.title}>{text.empty.body}</EmptyState>}
      >
        {(event) => <EventRow event={event} nameOf={nameOf} />}
      </PagedList>
    </Page>
  );
}

type Delivery = AlertEvent["deliveries"][number];

/** The names of members and webhooks by their ID. */
function useTargetNames(): (delivery: Delivery) => string {
  const { data: me } = useQuery(meQuery);
  const { data: members } = useQuery({
    ...membersQuery(me?.workspace.id ?? ""),
    enabled: me !== undefined,
  });
  const { data: webhooks = [] } = useQuery(itemQuery("/webhooks"));
  return ({ channel, target }) =>
    channel === "email"
      ? target === me?.user.id
        ? text.delivery.emailToYou
        : text.delivery.email(memberName(members, me, target))
      : channel === "chat"
        ? text.delivery.chat(target)
        : text.delivery.webhook(nameOfWebhook(webhooks, target));
}

function nameOfWebhook(webhooks: readonly Webhook[], id: string): string {
  const found = webhooks.find((webhook) => webhook.id === id);
  return found === undefined ? id.slice(-6) : found.description || hostOf(found);
}

function EventRow({
  event: { type, summary, createdAt, deliveries },
  nameOf,
}: {
  event: AlertEvent;
  nameOf: (delivery: Delivery) => string;
}): ReactNode {
  return (
    <div className="grid gap-1.5 px-4 py-3 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={typeTones[type]}>{text.types[type]}</Badge>
        <span className="text-soft">
          <When at={createdAt} />
        </span>
      </p>
      <p className="wrap-anywhere">{summary}</p>
      {deliveries.length === 0 ? <p className="text-soft">{text.noDeliveries}</p> : null}
      <ul className="grid gap-1">
        {deliveries.map((delivery) => (
          <li
            key={`${delivery.channel} ${delivery.target}`}
            className="flex flex-wrap items-center gap-2"
          >
            <Badge tone={stateTones[delivery.state]}>{text.deliveryStates[delivery.state]}</Badge>
            {nameOf(delivery)}
            {delivery.problem === null ? null : (
              <span className="wrap-anywhere text-bad">{delivery.problem}</span>
            )}
            <NextAttempt createdAt={createdAt} delivery={delivery} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** When a delivery is attempted that waits for the end of quiet hours, or for a repetition. */
function NextAttempt({
  createdAt,
  delivery: { attempts, problem, dueAt },
}: {
  /** Of the event. */
  createdAt: string;
  delivery: Delivery;
}): ReactNode {
  if (dueAt === null) return null;
  const isQuiet = attempts === 0 && Date.parse(dueAt) > Date.parse(createdAt);
  // An attempt in progress is due again after its lease.
  if (!isQuiet && problem === null) return null;
  const time = formatTime(dueAt);
  return <span className="text-soft">{isQuiet ? text.waits(time) : text.nextAttempt(time)}</span>;
}
