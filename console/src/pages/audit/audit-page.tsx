import type { ReactNode } from "react";
import { Page } from "#components/page";

export function AuditPage(): ReactNode {
  return <Page title="Audit">{null}</Page>;
}
