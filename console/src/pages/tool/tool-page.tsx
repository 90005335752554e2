import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ApiProblem } from "#api/problem";
import { itemQuery } from "#api/queries";
import { Page, ProblemNote, Skeleton } from "#components/page";
import { ToolNotFound } from "./tool-not-found.tsx";
import { ToolView } from "./tool-view.tsx";

const route = getRouteApi("/tools/$name");

/** The page of one tool: `toolUrl`, as every door gives it out. */
export function ToolPage(): ReactNode {
  const { name } = route.useParams();
  const { data, error, refetch } = useQuery(itemQuery("/tools/{name}", { params: { name } }));
  if (data !== undefined) return <ToolView key={name} tool={data} />;
  if (error instanceof ApiProblem && error.status === 404) {
    return <ToolNotFound key={name} name={name} words={error.message} />;
  }
  return (
    <Page title="Tool">
      {error === null ? <Skeleton /> : <ProblemNote error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}
