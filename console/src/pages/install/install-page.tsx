import type { ReactNode } from "react";
import { Page } from "#components/page";

export function InstallPage(): ReactNode {
  return <Page title="Install">{null}</Page>;
}
