import type { LinkProps } from "@tanstack/react-router";
import type { Scope } from "@toolhost/contract";
import { messages as shell } from "../messages.ts";
import { messages } from "./messages.ts";

const { navigation: labels } = shell;
const { keywords } = messages;

/** A page in the command palette; `keywords` are further search terms. */
export type Destination = {
  to: NonNullable<LinkProps["to"]>;
  label: string;
  keywords: string;
  scope?: Scope;
};

const destinations: readonly Destination[] = [
  {
    to: "/drafts",
    label: messages.createTool,
    keywords: keywords.createTool,
    scope: "tools:write",
  },
  { to: "/", label: labels.tools, keywords: keywords.tools },
  { to: "/overview", label: labels.overview, keywords: keywords.overview },
  {
    to: "/imports",
    label: labels.imports,
    keywords: keywords.imports,
    scope: "tools:write",
  },
  { to: "/runs", label: labels.runs, keywords: keywords.runs },
  { to: "/catalog", label: messages.catalog, keywords: keywords.catalog },
  {
    to: "/credentials",
    label: labels.credentials,
    keywords: keywords.credentials,
    scope: "credentials:write",
  },
  { to: "/api-keys", label: labels.apiKeys, keywords: keywords.apiKeys },
  { to: "/install", label: labels.install, keywords: keywords.install },
  { to: "/connected-apps", label: labels.connectedApps, keywords: keywords.connectedApps },
  { to: "/access", label: labels.access, keywords: keywords.access, scope: "audit:read" },
  { to: "/members", label: labels.members, keywords: keywords.members },
  { to: "/audit", label: labels.audit, keywords: keywords.audit, scope: "audit:read" },
  { to: "/alerts", label: labels.alerts, keywords: keywords.alerts, scope: "audit:read" },
  { to: "/settings", label: labels.settings, keywords: keywords.settings },
  { to: "/webhooks", label: labels.webhooks, keywords: keywords.webhooks, scope: "audit:read" },
  { to: "/profile", label: labels.profile, keywords: keywords.profile },
  { to: "/reference", label: labels.reference, keywords: keywords.reference },
];

/** The pages that the scopes allow and the text matches: by label first, then by keyword. */
export function findDestinations(text: string, scopes: readonly Scope[]): Destination[] {
  const query = text.trim().toLowerCase();
  const open = destinations.filter(({ scope }) => scope === undefined || scopes.includes(scope));
  const byLabel = open.filter(({ label }) => label.toLowerCase().includes(query));
  const byKeyword = open.filter((page) => !byLabel.includes(page) && page.keywords.includes(query));
  return [...byLabel, ...byKeyword];
}
