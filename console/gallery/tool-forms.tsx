import { createToolView, styles } from "@toolhost/ui";
import type { RunState, ShownTool } from "@toolhost/ui";
import type { ReactNode } from "react";
import { useEffect, useRef } from "react";
import { Section } from "./section.tsx";

const tool: ShownTool = {
  name: "every_field",
  title: "Every field",
  description: "A field for each format.",
  inputSchema: {
    type: "object",
    properties: {
      city: { type: "string", description: "Name of the city.", examples: ["Lisbon"] },
      homepage: { type: "string", format: "uri", examples: ["https://example.com"] },
      email: { type: "string", format: "email" },
      token: { type: "string", format: "password" },
      startsAt: { type: "string", format: "date-time" },
      day: { type: "string", format: "date" },
      accentColor: { type: "string", format: "color" },
      text: { type: "string", maxLength: 2_000 },
      readingTimeSeconds: { type: "integer", minimum: 0, maximum: 3_600 },
      weight: { type: "number", unit: "kg" },
      unit: { enum: ["metric", "imperial"], description: "Units of the result." },
      language: { enum: ["en", "de", "fr", "pt"] },
      isPublic: { type: "boolean", default: true, description: "Whether everyone can see it." },
      days: { type: "array", uniqueItems: true, items: { enum: ["Monday", "Tuesday"] } },
      tags: { type: "array", items: { type: "string" } },
      place: { type: "object", properties: { street: { type: "string" } }, required: ["street"] },
      document: { type: "string", description: "A picture or a PDF." },
      options: {},
    },
    required: ["city", "unit", "readingTimeSeconds", "place"],
  },
  outputSchema: { properties: [{ name: "readingTimeSeconds", type: "number", description: "" }] },
  fileFields: ["document"],
};

const states: readonly (readonly [string, RunState])[] = [
  ["Running", { status: "running", progress: { fraction: 0.4, message: "Page 4 of 10" } }],
  [
    "Completed",
    {
      status: "completed",
      durationMs: 1_240,
      output: {
        readingTimeSeconds: 12,
        summary: "Mostly dry.",
        days: [
          { day: "Monday", high: 18 },
          { day: "Tuesday", high: 19 },
        ],
      },
    },
  ],
  ["Failed", { status: "failed", code: "tool_error", message: "The site responded with 503." }],
  [
    "Invalid",
    {
      status: "refused",
      message: "The input is invalid.",
      errors: [{ path: "/city", message: "Required." }],
    },
  ],
];

/** The forms and results of tools. */
export function ToolForms(): ReactNode {
  return (
    <>
      <Section title="Form of a tool">
        <div className="ui-card p-4">
          <Form name="Form" state={{ status: "idle" }} />
        </div>
      </Section>
      <Section title="States of a run">
        <div className="grid gap-4 lg:grid-cols-2">
          {states.map(([name, state]) => (
            <div key={name} className="ui-card min-w-0 p-4">
              <Form name={name} state={state} />
            </div>
          ))}
        </div>
      </Section>
    </>
  );
}

const small: ShownTool["inputSchema"] = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
};

function Form({ name, state }: { name: string; state: RunState }): ReactNode {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    document.adoptedStyleSheets = [sheet];
    const shown = state.status === "idle" ? tool : { ...tool, title: name, inputSchema: small };
    const view = createToolView(
      shown,
      {},
      {
        run: () => {},
        cancel: () => {},
        copy: () => {},
        upload: (file) =>
          Promise.resolve({ fileId: file.name, fileName: file.name, size: file.size }),
        headingLevel: 3,
      },
    );
    view.show(state);
    // Only here are there several results on a page.
    view.element.querySelector(".run")?.setAttribute("aria-label", name);
    ref.current?.replaceChildren(view.element);
  }, [name, state]);
  return <div ref={ref} />;
}
