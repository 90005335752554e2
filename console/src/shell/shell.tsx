import { Outlet, useRouterState } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { Menu as MenuIcon, X } from "lucide-react";
import type { ReactNode } from "react";
import { lazy, useEffect, useRef, useState } from "react";
import { ApiProblem } from "#api/problem";
import { meQuery } from "#api/queries";
import { IconButton } from "#components/button";
import { LazyPart } from "#components/lazy-part";
import { preloadMenus } from "#components/menu";
import { ProblemNote, Skeleton } from "#components/page";
import { Toasts } from "#components/toasts";
import { classes } from "#lib/class-names";
import { loadChunk } from "#lib/load-chunk";
import { OfflineBanner } from "./offline-banner.tsx";
import { Navigation } from "./navigation.tsx";
import { CommandPaletteButton } from "./command-palette-button.tsx";
import { ProfileMenu } from "./profile-menu.tsx";
import { WorkspaceSwitcher } from "./workspace-switcher.tsx";
import { messages } from "./messages.ts";

// Few users need this code.
const NoWorkspace = lazy(async () => ({
  default: (await loadChunk(() => import("./no-workspace.tsx"))).NoWorkspace,
}));

/** When the code of menus is loaded if none was approached before, so that they open without a connection as well. */
const preloadMs = 3_000;

/** The frame around every page. It shows no page before the user is known. */
export function Shell(): ReactNode {
  const { data, error, refetch } = useQuery(meQuery);
  // `GET /me` returns 400 for a user without a workspace; data from before is then obsolete.
  const hasNoWorkspace = error instanceof ApiProblem && error.status === 400;
  const me = hasNoWorkspace ? undefined : data;
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const mainRef = useRef<HTMLElement>(null);
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    setOpen(false);
    // Keyboard users continue at the new page, not after the link that they pressed.
    mainRef.current?.focus({ preventScroll: true });
  }, [path]);
  useEffect(() => {
    const timer = setTimeout(preloadMenus, preloadMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <a href="#main" className="sr-only z-50 bg-paper p-3 focus:not-sr-only focus:absolute">
        {messages.skipToContent}
      </a>
      <OfflineBanner />
      <div className="md:grid md:min-h-dvh md:grid-cols-[15rem_minmax(0,1fr)]">
        <header className="sticky top-0 z-30 max-h-dvh overflow-y-auto border-b border-line bg-paper p-3 md:flex md:h-dvh md:flex-col md:border-r md:border-b-0">
          <div className="flex items-center justify-between gap-2">
            <span className="flex items-center gap-2 px-2 font-semibold tracking-tight">
              <svg viewBox="0 0 32 32" aria-hidden className="size-5 rounded-sm">
                <path d="M0 0h32v32H0z" fill="var(--brand)" />
                <path d="M8 10h16M16 10v14" stroke="var(--on-brand)" strokeWidth="4" />
              </svg>
              {messages.product}
            </span>
            <IconButton
              label={isOpen ? messages.closeMenu : messages.openMenu}
              aria-expanded={isOpen}
              className="md:hidden"
              onPress={() => setOpen(!isOpen)}
            >
              {isOpen ? <X size={20} aria-hidden /> : <MenuIcon size={20} aria-hidden />}
            </IconButton>
          </div>
          <div
            className={classes(
              "mt-3 flex-1 flex-col gap-3 md:flex [&>:last-child]:mt-auto",
              isOpen ? "flex" : "hidden",
            )}
          >
            {me === undefined ? null : (
              <>
                <WorkspaceSwitcher me={me} />
                <CommandPaletteButton me={me} onOpen={() => setOpen(false)} />
                <Navigation scopes={me.scopes} onGo={() => setOpen(false)} />
                <ProfileMenu me={me} />
              </>
            )}
          </div>
        </header>
        <main id="main" ref={mainRef} tabIndex={-1} className="min-w-0 outline-none">
          {hasNoWorkspace ? (
            <LazyPart>
              <NoWorkspace />
            </LazyPart>
          ) : me !== undefined ? (
            <Outlet key={me.workspace.id} />
          ) : error === null || (error instanceof ApiProblem && error.status === 401) ? (
            <div className="p-8">
              <Skeleton />
            </div>
          ) : (
            <div className="p-8">
              <ProblemNote error={error} onRetry={() => void refetch()} />
            </div>
          )}
        </main>
      </div>
      <Toasts />
    </>
  );
}
