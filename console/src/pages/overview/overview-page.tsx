import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { mayDo } from "@toolhost/contract/roles";
import type { ReactNode } from "react";
import { meQuery } from "#api/queries";
import { Page } from "#components/page";
import { Figures } from "./figures.tsx";
import { Health } from "./health.tsx";
import { messages } from "./messages.ts";

const route = getRouteApi("/overview");

/** Figures of the runs that the user can see, and the health of deliveries for admins. */
export function OverviewPage(): ReactNode {
  const { range = "24h" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: me } = useQuery(meQuery);
  const isAdmin = me !== undefined && mayDo(me.workspace.role, "webhooks:manage");
  return (
    <Page title={messages.title} lead={messages.lead}>
      <Figures
        range={range}
        onRange={(next) => void navigate({ search: { range: next }, replace: true })}
      >
        {isAdmin ? <Health workspaceId={me.workspace.id} /> : null}
      </Figures>
    </Page>
  );
}
