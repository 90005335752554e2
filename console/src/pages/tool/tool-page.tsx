import type { ReactNode } from "react";
import { Page } from "#components/page";

export function ToolPage(): ReactNode {
  return <Page title="Tool">{null}</Page>;
}
