import { Link, useLocation } from "@tanstack/react-router";
import type { LinkProps } from "@tanstack/react-router";
import type { Scope } from "@toolhost/contract";
import {
  AppWindow,
  Bell,
  BookOpen,
  ChartColumn,
  FilePen,
  Import,
  KeyRound,
  LayoutGrid,
  List,
  Plug,
  ScrollText,
  Settings,
  ShieldUser,
  SquareTerminal,
  Users,
  Webhook,
  Wrench,
} from "lucide-react";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { messages } from "./messages.ts";

const text = messages.navigation;

type Entry = { to: NonNullable<LinkProps["to"]>; label: string; icon: LucideIcon; scope?: Scope };

type Group = { id: string; label: string; entries: readonly Entry[] };

const groups: readonly Group[] = [
  {
    id: "build",
    label: text.groups.build,
    entries: [
      { to: "/", label: text.tools, icon: Wrench },
      { to: "/drafts", label: text.drafts, icon: FilePen, scope: "tools:write" },
      { to: "/catalog", label: text.catalog, icon: LayoutGrid },
      { to: "/imports", label: text.imports, icon: Import, scope: "tools:write" },
      { to: "/install", label: text.install, icon: Plug },
      { to: "/reference", label: text.reference, icon: BookOpen },
    ],
  },
  {
    id: "operate",
    label: text.groups.operate,
    entries: [
      { to: "/overview", label: text.overview, icon: ChartColumn },
      { to: "/runs", label: text.runs, icon: List },
      { to: "/alerts", label: text.alerts, icon: Bell, scope: "audit:read" },
      { to: "/credentials", label: text.credentials, icon: KeyRound, scope: "credentials:write" },
      { to: "/webhooks", label: text.webhooks, icon: Webhook, scope: "audit:read" },
      { to: "/audit", label: text.audit, icon: ScrollText, scope: "audit:read" },
    ],
  },
  {
    id: "workspace",
    label: text.groups.workspace,
    entries: [
      { to: "/members", label: text.members, icon: Users },
      { to: "/access", label: text.access, icon: ShieldUser, scope: "audit:read" },
      { to: "/api-keys", label: text.apiKeys, icon: SquareTerminal },
      { to: "/connected-apps", label: text.connectedApps, icon: AppWindow },
      { to: "/settings", label: text.settings, icon: Settings },
    ],
  },
];

/** Links to the pages that the user's scopes allow, in groups. */
export function Navigation({
  scopes,
  onGo,
}: {
  scopes: readonly Scope[];
  onGo?: () => void;
}): ReactNode {
  const isToolPage = useLocation({ select: ({ pathname }) => pathname.startsWith("/tools/") });
  const isOpen = ({ scope }: Entry) => scope === undefined || scopes.includes(scope);
  return (
    <nav aria-label={text.label} className="grid gap-4">
      {groups.map(({ id, label, entries }) => (
        <div key={id}>
          <p id={`navigation-${id}`} className="px-2 pb-1 text-xs font-medium text-soft">
            {label}
          </p>
          <ul aria-labelledby={`navigation-${id}`} className="grid gap-px">
            {entries.filter(isOpen).map(({ to, label: page, icon: Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  // The pages of tools are below the list, but not below its path.
                  {...(to === "/" && isToolPage ? { "aria-current": "page" } : {})}
                  {...(onGo === undefined ? {} : { onClick: onGo })}
                  activeOptions={{ exact: to === "/", includeSearch: false }}
                  className="flex min-h-(--control-sm) items-center gap-2 rounded-lg px-2 text-sm text-soft hover:bg-raised hover:text-text aria-[current=page]:bg-raised aria-[current=page]:font-medium aria-[current=page]:text-text"
                >
                  <Icon size={16} aria-hidden />
                  {page}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
