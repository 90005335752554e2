import type { ToolDetail } from "@toolhost/contract";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Figures } from "../overview/figures.tsx";

const route = getRouteApi("/tools/$name");

/** Figures of the runs of the tool that the user can see. */
export function StatsTab({ tool: { name } }: { tool: ToolDetail }): ReactNode {
  const { range = "7d" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Figures
      toolName={name}
      range={range}
      onRange={(next) =>
        void navigate({ search: (before) => ({ ...before, range: next }), replace: true })
      }
    />
  );
}
