import type { ReactNode } from "react";
import { Page } from "#components/page";

export function DraftsPage(): ReactNode {
  return <Page title="New tool">{null}</Page>;
}
