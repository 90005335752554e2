import type { LinkProps } from "@tanstack/react-router";
import type { Scope } from "@toolhost/contract";

/** A page that one can go to by its name; `also` are other words for it. */
export type Destination = {
  to: NonNullable<LinkProps["to"]>;
  label: string;
  also: string;
  scope?: Scope;
};

const destinations: readonly Destination[] = [
  { to: "/drafts", label: "New tool", also: "create write draft template", scope: "tools:write" },
  { to: "/", label: "Tools", also: "home start" },
  { to: "/runs", label: "Runs", also: "log history" },
  { to: "/catalog", label: "Catalog", also: "public install" },
  { to: "/credentials", label: "Credentials", also: "secrets", scope: "credentials:write" },
  { to: "/api-keys", label: "API keys", also: "token" },
  { to: "/install", label: "Install", also: "connect agent client mcp" },
  { to: "/connected-apps", label: "Connected apps", also: "oauth" },
  { to: "/members", label: "Members", also: "people invite role" },
  { to: "/audit", label: "Audit", also: "events trail", scope: "audit:read" },
  { to: "/settings", label: "Settings", also: "workspace chat retention" },
  { to: "/profile", label: "Profile", also: "account password sessions" },
  { to: "/reference", label: "API reference", also: "rest openapi" },
];

/** The pages that a person may use and that a text fits: its label first, then other words for it. */
export function findDestinations(text: string, scopes: readonly Scope[]): Destination[] {
  const wanted = text.trim().toLowerCase();
  const open = destinations.filter(({ scope }) => scope === undefined || scopes.includes(scope));
  const byLabel = open.filter(({ label }) => label.toLowerCase().includes(wanted));
  const byWords = open.filter((place) => !byLabel.includes(place) && place.also.includes(wanted));
  return [...byLabel, ...byWords];
}
