import { useNavigate } from "@tanstack/react-router";
import type { Me } from "@toolhost/contract";
import { LogOut, Moon, User } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { Button } from "#components/button";
import { Menu } from "#components/menu";
import { applyTheme, currentTheme, themes } from "#lib/theme";
import { signOut } from "./sign-out.ts";
import { messages } from "./messages.ts";

const text = messages.profileMenu;

/** The user's own pages, the theme, and signing out. */
export function ProfileMenu({ me }: { me: Me }): ReactNode {
  const navigate = useNavigate();
  const [theme, setTheme] = useState(currentTheme);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
  return (
    <Menu
      label={text.label}
      placement="top start"
      trigger={
        <Button look="quiet" className="w-full justify-start! px-2!">
          <span className="sr-only">{text.button}</span>
          <span
            aria-hidden
            className="grid size-6 place-items-center rounded-full bg-strong-soft text-xs text-strong uppercase"
          >
            {(me.user.name || me.user.email).slice(0, 1)}
          </span>
          <span className="truncate">{me.user.name || me.user.email}</span>
        </Button>
      }
      entries={[
        {
          id: "profile",
          label: messages.navigation.profile,
          icon: <User size={16} aria-hidden />,
          onAction: () => void navigate({ to: "/profile" }),
        },
        {
          id: "theme",
          label: text.theme(text.themes[theme], text.themes[next]),
          icon: <Moon size={16} aria-hidden />,
          onAction: () => {
            applyTheme(next);
            setTheme(next);
          },
        },
        {
          id: "sign-out",
          label: text.signOut,
          icon: <LogOut size={16} aria-hidden />,
          onAction: signOut,
        },
      ]}
    />
  );
}
