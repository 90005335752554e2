import { Link } from "@tanstack/react-router";
import type { LinkProps } from "@tanstack/react-router";
import type { Scope } from "@toolhost/contract";
import {
  BookOpen,
  ChartColumn,
  Import,
  KeyRound,
  List,
  Plug,
  ScrollText,
  Settings,
  Users,
  Wrench,
} from "lucide-react";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { messages } from "./messages.ts";

const text = messages.navigation;

type Entry = { to: NonNullable<LinkProps["to"]>; label: string; icon: LucideIcon; scope?: Scope };

const entries: readonly Entry[] = [
  { to: "/", label: text.tools, icon: Wrench },
  { to: "/overview", label: text.overview, icon: ChartColumn },
  { to: "/imports", label: text.imports, icon: Import, scope: "tools:write" },
  { to: "/runs", label: text.runs, icon: List },
  { to: "/credentials", label: text.credentials, icon: KeyRound, scope: "credentials:write" },
  { to: "/install", label: text.install, icon: Plug },
  { to: "/members", label: text.members, icon: Users },
  { to: "/audit", label: text.audit, icon: ScrollText, scope: "audit:read" },
  { to: "/settings", label: text.settings, icon: Settings },
  { to: "/reference", label: text.reference, icon: BookOpen },
];

/** Links to the pages that the user's scopes allow. */
export function Navigation({
  scopes,
  onGo,
}: {
  scopes: readonly Scope[];
  onGo?: () => void;
}): ReactNode {
  return (
    <nav aria-label={text.label}>
      <ul className="grid gap-0.5">
        {entries
          .filter(({ scope }) => scope === undefined || scopes.includes(scope))
          .map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                {...(onGo === undefined ? {} : { onClick: onGo })}
                activeOptions={{ exact: to === "/", includeSearch: false }}
                className="flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-sm text-soft hover:bg-raised hover:text-text aria-[current=page]:bg-strong-soft aria-[current=page]:font-medium aria-[current=page]:text-strong"
              >
                <Icon size={17} aria-hidden />
                {label}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
}
