import { createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { lazyPage } from "#lib/lazy-page";
import { validateAuditSearch } from "./pages/audit/search.ts";
import { validateCatalogSearch } from "./pages/catalog/search.ts";
import { validateCompareSearch } from "./pages/compare/search.ts";
import { validateDraftSearch } from "./pages/draft/search.ts";
import { validateHomeSearch } from "./pages/home/search.ts";
import { validateImportSearch } from "./pages/import/search.ts";
import { validateImportsSearch } from "./pages/imports/search.ts";
import { validateInstallSearch } from "./pages/install/search.ts";
import { validateOverviewSearch } from "./pages/overview/search.ts";
import { validateReferenceSearch } from "./pages/reference/search.ts";
import { validateRunsSearch } from "./pages/runs/search.ts";
import { validateSettingsSearch } from "./pages/settings/search.ts";
import { validateToolSearch } from "./pages/tool/search.ts";
import { validateDeliveriesSearch } from "./pages/webhooks/search.ts";
import { NotFound } from "./shell/not-found.tsx";
import { PageError } from "./shell/page-error.tsx";
import { Shell } from "./shell/shell.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const pages = [
  createRoute({
    getParentRoute: () => root,
    path: "/",
    validateSearch: validateHomeSearch,
    component: lazyPage(() => import("./pages/home/home-page.tsx"), "HomePage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/overview",
    validateSearch: validateOverviewSearch,
    component: lazyPage(() => import("./pages/overview/overview-page.tsx"), "OverviewPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/catalog",
    validateSearch: validateCatalogSearch,
    component: lazyPage(() => import("./pages/catalog/catalog-page.tsx"), "CatalogPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/tools/$name",
    validateSearch: validateToolSearch,
    component: lazyPage(() => import("./pages/tool/tool-page.tsx"), "ToolPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/drafts",
    component: lazyPage(() => import("./pages/drafts/drafts-page.tsx"), "DraftsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/drafts/$draftId",
    validateSearch: validateDraftSearch,
    component: lazyPage(() => import("./pages/draft/draft-page.tsx"), "DraftPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/imports",
    validateSearch: validateImportsSearch,
    component: lazyPage(() => import("./pages/imports/imports-page.tsx"), "ImportsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/imports/curl",
    component: lazyPage(() => import("./pages/import-curl/curl-page.tsx"), "CurlPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/imports/$importId",
    validateSearch: validateImportSearch,
    component: lazyPage(() => import("./pages/import/import-page.tsx"), "ImportPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/runs",
    validateSearch: validateRunsSearch,
    component: lazyPage(() => import("./pages/runs/runs-page.tsx"), "RunsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/runs/$runId",
    component: lazyPage(() => import("./pages/run/run-page.tsx"), "RunPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/runs/$runId/compare",
    validateSearch: validateCompareSearch,
    component: lazyPage(() => import("./pages/compare/compare-page.tsx"), "ComparePage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/credentials",
    component: lazyPage(
      () => import("./pages/credentials/credentials-page.tsx"),
      "CredentialsPage",
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/api-keys",
    component: lazyPage(() => import("./pages/api-keys/api-keys-page.tsx"), "ApiKeysPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/install",
    validateSearch: validateInstallSearch,
    component: lazyPage(() => import("./pages/install/install-page.tsx"), "InstallPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/connected-apps",
    component: lazyPage(
      () => import("./pages/connected-apps/connected-apps-page.tsx"),
      "ConnectedAppsPage",
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/access",
    component: lazyPage(() => import("./pages/access/access-page.tsx"), "AccessPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/members",
    component: lazyPage(() => import("./pages/members/members-page.tsx"), "MembersPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/settings",
    validateSearch: validateSettingsSearch,
    component: lazyPage(() => import("./pages/settings/settings-page.tsx"), "SettingsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/webhooks",
    component: lazyPage(() => import("./pages/webhooks/webhooks-page.tsx"), "WebhooksPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/webhooks/$webhookId",
    validateSearch: validateDeliveriesSearch,
    component: lazyPage(() => import("./pages/webhooks/deliveries-page.tsx"), "DeliveriesPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/alerts",
    component: lazyPage(() => import("./pages/alerts/alerts-page.tsx"), "AlertsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/alerts/$alertId",
    component: lazyPage(() => import("./pages/alerts/history-page.tsx"), "AlertHistoryPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/audit",
    validateSearch: validateAuditSearch,
    component: lazyPage(() => import("./pages/audit/audit-page.tsx"), "AuditPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/profile",
    component: lazyPage(() => import("./pages/profile/profile-page.tsx"), "ProfilePage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/reference",
    validateSearch: validateReferenceSearch,
    component: lazyPage(() => import("./pages/reference/reference-page.tsx"), "ReferencePage"),
  }),
] as const;

/** The router. The code of a page loads when the user opens its address or hovers a link to it. */
export function createConsoleRouter() {
  return createRouter({
    routeTree: root.addChildren(pages),
    defaultPreload: "intent",
    defaultErrorComponent: PageError,
    // Parameters are plain text, not JSON, so that people can read and edit addresses.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const present = Object.entries(search).filter(
        ([, value]) => value !== undefined && value !== "",
      );
      const text = new URLSearchParams(
        present.map(([name, value]) => [name, String(value)]),
      ).toString();
      return text === "" ? "" : `?${text}`;
    },
  });
}

declare module "@tanstack/react-router" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- Declaration merging needs an interface.
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
