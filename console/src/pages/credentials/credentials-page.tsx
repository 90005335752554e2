import type { ReactNode } from "react";
import { Page } from "#components/page";

export function CredentialsPage(): ReactNode {
  return <Page title="Credentials">{null}</Page>;
}
