import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Name } from "#components/name";

/** A tool by its title, or by its name if it has been deleted. Leads to its statistics. */
export function ToolLink({ name, title }: { name: string; title: string | null }): ReactNode {
  return (
    <Link
      to="/tools/$name"
      params={{ name }}
      search={{ tab: "stats" }}
      className="text-strong underline"
    >
      <Name>{title ?? name}</Name>
    </Link>
  );
}
