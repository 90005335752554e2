import { Link } from "@tanstack/react-router";
import type { LinkProps } from "@tanstack/react-router";
import type { Scope } from "@toolhost/contract";
import { BookOpen, KeyRound, List, Plug, ScrollText, Settings, Users, Wrench } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

type Entry = { to: NonNullable<LinkProps["to"]>; label: string; icon: LucideIcon; scope?: Scope };

const entries: readonly Entry[] = [
  { to: "/", label: "Tools", icon: Wrench },
  { to: "/runs", label: "Runs", icon: List },
  { to: "/credentials", label: "Credentials", icon: KeyRound, scope: "credentials:write" },
  { to: "/install", label: "Install", icon: Plug },
  { to: "/members", label: "Members", icon: Users },
  { to: "/audit", label: "Audit", icon: ScrollText, scope: "audit:read" },
  { to: "/settings", label: "Settings", icon: Settings },
  { to: "/reference", label: "API", icon: BookOpen },
];

/** The pages of the workspace that the person may use. */
export function Navigation({
  scopes,
  onGo,
}: {
  scopes: readonly Scope[];
  onGo?: () => void;
}): ReactNode {
  return (
    <nav aria-label="Pages">
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
