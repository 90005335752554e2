import type { ToolDetail } from "@toolhost/contract";
import type { ReactNode } from "react";
import type { ToolRights } from "#lib/rights";
import { AlwaysAllowedSection } from "./always-allowed-section.tsx";
import { ApprovalsSection } from "./approvals-section.tsx";
import { VisibilitySection } from "./visibility-section.tsx";

/** Who can use the tool, and which credentials it may use. */
export function SharingTab({ tool, rights }: { tool: ToolDetail; rights: ToolRights }): ReactNode {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <VisibilitySection tool={tool} canChange={rights.archive} />
      <ApprovalsSection tool={tool} />
      <AlwaysAllowedSection tool={tool} />
    </div>
  );
}
