import type { ReactNode } from "react";
import { Page } from "#components/page";

export function ApiKeysPage(): ReactNode {
  return <Page title="API keys">{null}</Page>;
}
