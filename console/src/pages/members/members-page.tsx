import type { ReactNode } from "react";
import { Page } from "#components/page";

export function MembersPage(): ReactNode {
  return <Page title="Members">{null}</Page>;
}
