import { useNavigate } from "@tanstack/react-router";
import { ChevronDown, Import } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/button";
import { Menu } from "#components/menu";
import { messages } from "./messages-menu.ts";

/** The button that offers what can be imported. */
export function ImportMenu({ look = "plain" }: { look?: "plain" | "primary" }): ReactNode {
  const navigate = useNavigate();
  const entries = [
    ...(["openapi", "mcp"] as const).map((kind) => ({
      id: kind,
      label: messages[kind],
      onAction: () => void navigate({ to: "/imports", search: { create: kind } }),
    })),
    { id: "curl", label: messages.curl, onAction: () => void navigate({ to: "/imports/curl" }) },
    {
      id: "folder",
      label: messages.folder,
      onAction: () => void navigate({ to: "/imports", search: { create: "folder" } }),
    },
  ];
  return (
    <Menu
      label={messages.label}
      entries={entries}
      trigger={
        <Button look={look}>
          <Import size={16} aria-hidden />
          {messages.button}
          <ChevronDown size={15} aria-hidden />
        </Button>
      }
    />
  );
}
