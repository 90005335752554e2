import type { ReactNode } from "react";
import { Page } from "#components/page";

export function ProfilePage(): ReactNode {
  return <Page title="Profile">{null}</Page>;
}
