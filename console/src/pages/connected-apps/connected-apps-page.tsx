import type { ReactNode } from "react";
import { Page } from "#components/page";

export function ConnectedAppsPage(): ReactNode {
  return <Page title="Connected apps">{null}</Page>;
}
