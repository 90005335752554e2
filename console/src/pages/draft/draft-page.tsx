import type { ReactNode } from "react";
import { Page } from "#components/page";

export function DraftPage(): ReactNode {
  return <Page title="Build">{null}</Page>;
}
