import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { WebhookDelivery } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { ApiProblem, errorMessage } from "#api/problem";
import { itemQuery, listQuery, meQuery } from "#api/queries";
import { Button } from "#components/button";
import { NotFoundWithLink } from "#components/not-found-page";
import { BackLink, EmptyState, Page, ProblemNote, Skeleton } from "#components/page";
import { PagedList } from "#components/paged-list";
import { RoleRequired } from "#components/role-required";
import { Tabs } from "#components/tabs";
import { showToast } from "#components/toasts";
import { DeliveryRow } from "./delivery-row.tsx";
import { messages } from "./messages.ts";
import { hostOf } from "./webhook-row.tsx";

const route = getRouteApi("/webhooks/$webhookId");
const text = messages.deliveries;
const states = ["all", "pending", "delivered", "dead"] as const;
const refreshMs = 5_000;

/** The deliveries of one webhook, for admins. */
export function DeliveriesPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { webhookId: id } = route.useParams();
  if (me === undefined) return null;
  return mayDo(me.workspace.role, "webhooks:manage") ? (
    <Deliveries key={id} id={id} />
  ) : (
    <RoleRequired page={messages.title} right="webhooks:manage" />
  );
}

function Deliveries({ id }: { id: string }): ReactNode {
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: webhook, error } = useQuery({
    ...itemQuery("/webhooks/{id}", { params: { id } }),
    refetchInterval: refreshMs,
  });
  const requeue = useRequeue(id);
  if (error instanceof ApiProblem && error.status === 404) {
    return <NotFoundWithLink text={messages.notFound} to="/webhooks" />;
  }
  if (webhook === undefined) {
    return (
      <Page title={messages.title}>
        {error === null ? <Skeleton /> : <ProblemNote error={error} />}
      </Page>
    );
  }
  return (
    <Page
      title={webhook.description === "" ? hostOf(webhook) : webhook.description}
      lead={<span className="font-mono text-xs wrap-anywhere">{webhook.url}</span>}
      back={<BackLink to="/webhooks">{text.back}</BackLink>}
      actions={
        webhook.dead > 0 ? (
          <Button isPending={requeue.isPending} onPress={() => requeue.mutate(undefined)}>
            {text.requeueAll}
          </Button>
        ) : undefined
      }
    >
      <Tabs
        label={text.filter}
        selected={state ?? "all"}
        onSelect={(next) => void navigate({ search: { state: next === "all" ? undefined : next } })}
        tabs={states.map((one) => ({
          id: one,
          label: text.states[one],
          content: (
            <PagedList
              label={text.list}
              query={listQuery("/webhooks/{id}/deliveries", {
                params: { id },
                query: one === "all" ? {} : { state: one },
              })}
              idOf={({ eventId }) => eventId}
              itemHeight={88}
              refreshMs={refreshMs}
              empty={<EmptyState title={text.empty.title}>{text.empty.body}</EmptyState>}
            >
              {(delivery) => (
                <DeliveryRow
                  delivery={delivery}
                  isPending={requeue.isPending && requeue.variables?.eventId === delivery.eventId}
                  onRequeue={() => requeue.mutate(delivery)}
                />
              )}
            </PagedList>
          ),
        }))}
      />
    </Page>
  );
}

/** Requeues one delivery, or all dead letters. */
function useRequeue(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (delivery: WebhookDelivery | undefined) =>
      delivery === undefined
        ? api.send("POST /webhooks/{id}/requeue-dead-letters", { params: { id } })
        : api.send("POST /webhooks/{id}/deliveries/{eventId}/requeue", {
            params: { id, eventId: delivery.eventId },
          }),
    onSuccess: (_, delivery) =>
      showToast(delivery === undefined ? text.allRequeued : text.requeued),
    onError: (error) => showToast(errorMessage(error), "bad"),
    onSettled: () => client.invalidateQueries({ queryKey: ["webhooks"] }),
  });
}
