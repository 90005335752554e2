import type { ReactNode } from "react";
import { Page } from "#components/page";

export function ReferencePage(): ReactNode {
  return <Page title="API reference">{null}</Page>;
}
