import type { ReactNode } from "react";
import { Page } from "#components/page";

export function HomePage(): ReactNode {
  return <Page title="Tools">{null}</Page>;
}
