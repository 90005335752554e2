import { getRouteApi } from "@tanstack/react-router";
import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { lazy } from "react";
import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import { Button } from "#components/button";
import { Panel } from "../definition/panel.tsx";
import { useDraft } from "../draft-context.ts";
import { LazyPart } from "#components/lazy-part";
import { messages } from "./messages.ts";
import { InferButton } from "./infer-button.tsx";

const JsonTab = lazy(() => import("./json-tab.tsx"));

const route = getRouteApi("/drafts/$draftId");

/** Edits a schema as fields or as JSON, depending on the URL. Both edit the same schema. */
export function SchemaFrame({
  labels,
  path,
  value,
  onChange,
  children,
}: {
  labels: { title: string; lead: string; asJson: string; view: string };
  path: "inputSchema" | "outputSchema";
  value: JsonObject;
  onChange: (value: JsonObject) => void;
  children: ReactNode;
}): ReactNode {
  const { state, store } = useDraft();
  const { as } = route.useSearch();
  const navigate = route.useNavigate();
  const isJson = as === "json";
  const show = (view: "fields" | "json") =>
    void navigate({
      search: (before) => ({ ...before, as: view === "json" ? "json" : undefined }),
      replace: true,
    });
  const isInvalid = state.texts[path] !== undefined;
  return (
    <Panel
      title={labels.title}
      lead={labels.lead}
      actions={
        <div className="flex flex-wrap gap-2">
          <InferButton path={path} />
          <ToggleButtonGroup
            aria-label={labels.view}
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[isJson ? "json" : "fields"]}
            onSelectionChange={(keys) => show(keys.has("json") ? "json" : "fields")}
            className="ui-segments"
          >
            <ToggleButton id="fields" className="ui-segment">
              {messages.views.fields}
            </ToggleButton>
            <ToggleButton id="json" className="ui-segment">
              {messages.views.json}
            </ToggleButton>
          </ToggleButtonGroup>
        </div>
      }
    >
      {isJson ? (
        <LazyPart lines={4}>
          <JsonTab label={labels.asJson} path={path} value={value} onChange={onChange} />
        </LazyPart>
      ) : (
        <>
          {isInvalid ? (
            <div role="alert" className="grid gap-2 rounded-lg bg-warn-soft p-3 text-sm text-warn">
              <p>{messages.json.invalidElsewhere}</p>
              <div className="flex flex-wrap gap-2">
                <Button onPress={() => show("json")}>{messages.json.edit}</Button>
                <Button onPress={() => store.setText(path, undefined)}>
                  {messages.json.discard}
                </Button>
              </div>
            </div>
          ) : null}
          {children}
        </>
      )}
    </Panel>
  );
}
