import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { InstallClient, InstallInfo } from "@toolhost/contract";
import type { ReactNode } from "react";
import { itemQuery } from "#api/queries";
import { CodeBlock } from "#components/copy";
import { SelectField } from "#components/select-field";
import { Card, Page, ProblemNote, Skeleton } from "#components/page";
import { ClientGuide } from "./client-guide.tsx";
import { groupClients } from "./client-groups.ts";
import type { ClientGroup } from "./client-groups.ts";
import { canReach } from "./reachable.ts";
import { messages } from "./messages.ts";

const route = getRouteApi("/install");

/** How to connect agents: pick a client, and copy what it needs. */
export function InstallPage(): ReactNode {
  const { data, error, refetch } = useQuery(itemQuery("/install"));
  return (
    <Page title={messages.title} lead={messages.lead}>
      {data === undefined ? (
        error === null ? (
          <Skeleton />
        ) : (
          <ProblemNote error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Clients info={data} />
      )}
    </Page>
  );
}

function Clients({ info }: { info: InstallInfo }): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const groups = groupClients(info.clients, info.mcpUrl);
  const isReachable = ({ id }: { id: string }) => canReach(id, info.mcpUrl);
  const selected = info.clients.find(({ id }) => id === search.client) ?? groups[0]?.clients[0];
  if (selected === undefined) return null;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[15rem_minmax(0,1fr)]">
      {/* On a narrow screen, a list would push the instructions out of sight. */}
      <SelectField
        label={messages.client}
        className="max-w-md lg:hidden"
        choices={groups.flatMap(({ category, clients }) =>
          clients.map(({ id, name }) => ({
            id,
            label: name,
            group: messages.categories[category],
          })),
        )}
        value={selected.id}
        onChange={(id) => void navigate({ search: { client: id }, replace: true })}
      />
      <ClientNavigation groups={groups} selected={selected} isReachable={isReachable} />
      <div className="grid min-w-0 gap-5">
        {isReachable(selected) ? null : (
          <p role="note" className="rounded-lg bg-warn-soft p-3 text-sm text-warn">
            {messages.unreachable(selected.name)}
          </p>
        )}
        <ClientGuide key={selected.id} client={selected} info={info} />
        {selected.snippet === null ? null : (
          <Card title={messages.other.title}>
            <p className="text-soft">{messages.other.body}</p>
            <CodeBlock label={messages.mcpUrl} code={info.mcpUrl} isWrapped />
          </Card>
        )}
      </div>
    </div>
  );
}

function ClientNavigation({
  groups,
  selected,
  isReachable,
}: {
  groups: readonly ClientGroup<InstallClient>[];
  selected: InstallClient;
  isReachable: (client: InstallClient) => boolean;
}): ReactNode {
  return (
    <nav aria-label={messages.clients} className="hidden gap-4 lg:grid">
      {groups.map(({ category, clients }) => (
        <section key={category} aria-labelledby={category}>
          <h2 id={category} className="mb-1 px-3 text-xs font-medium text-soft">
            {messages.categories[category]}
          </h2>
          <ul className="grid gap-0.5">
            {clients.map((client) => (
              <li key={client.id}>
                <Link
                  to="/install"
                  search={{ client: client.id }}
                  replace
                  resetScroll={false}
                  aria-current={client === selected ? "page" : undefined}
                  className="block rounded-lg px-3 py-1.5 text-sm hover:bg-raised aria-[current=page]:bg-strong-soft aria-[current=page]:font-medium aria-[current=page]:text-strong"
                >
                  {client.name}
                  {isReachable(client) ? null : (
                    <span className="block text-xs font-normal text-soft">
                      {messages.needsPublicAddress}
                    </span>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
