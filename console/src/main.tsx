import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { applyWorkspaceParam } from "#api/current-workspace";
import { createQueryClient } from "#api/queries";
import { provideRandomUuid } from "#lib/random-uuid";
import { applyTheme, currentTheme } from "#lib/theme";
import { prefetchHome } from "./pages/home/prefetch.ts";
import { createConsoleRouter } from "./router.tsx";
import "virtual:design.css";
import "./styles.css";

const root = document.querySelector("#root");
if (root === null) throw new Error("The document has no #root element");

applyTheme(currentTheme());
applyWorkspaceParam();
provideRandomUuid();
const client = createQueryClient();
prefetchHome(client);
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={createConsoleRouter()} />
    </QueryClientProvider>
  </StrictMode>,
);
