import type { ReactNode } from "react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Toasts } from "#components/toasts";
import { Controls } from "./controls.tsx";
import { Data } from "./data.tsx";
import { Surfaces } from "./surfaces.tsx";
import { ToolForms } from "./tool-forms.tsx";
import "virtual:design.css";
import "../src/styles.css";

/** Every component in every state. The service does not serve it: see `console/README.md`. */
function Gallery(): ReactNode {
  return (
    <main className="mx-auto grid w-full max-w-5xl grid-cols-1 gap-8 p-4 sm:p-8">
      <h1 className="text-xl font-semibold tracking-tight">Design</h1>
      <Controls />
      <Surfaces />
      <Data />
      <ToolForms />
      <Toasts />
    </main>
  );
}

const root = document.querySelector("#root");
if (root === null) throw new Error("The document has no #root element");
createRoot(root).render(
  <StrictMode>
    <Gallery />
  </StrictMode>,
);
