import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { lazy } from "react";
import { ApiProblem } from "#api/problem";
import { itemQuery } from "#api/queries";
import { LazyPart } from "#components/lazy-part";
import { Page, ProblemNote, Skeleton } from "#components/page";
import { loadChunk } from "#lib/load-chunk";
import { messages } from "./messages.ts";
import { ToolView } from "./tool-view.tsx";

const route = getRouteApi("/tools/$name");

const ToolNotFound = lazy(async () => ({
  default: (await loadChunk(() => import("./tool-not-found.tsx"))).ToolNotFound,
}));

/** The page of one tool, at its `toolUrl`. */
export function ToolPage(): ReactNode {
  const { name } = route.useParams();
  const { data, error, refetch } = useQuery(itemQuery("/tools/{name}", { params: { name } }));
  if (data !== undefined) return <ToolView key={name} tool={data} />;
  if (error instanceof ApiProblem && error.status === 404) {
    return (
      <LazyPart>
        <ToolNotFound key={name} name={name} />
      </LazyPart>
    );
  }
  return (
    <Page title={messages.page.title}>
      {error === null ? <Skeleton /> : <ProblemNote error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}
