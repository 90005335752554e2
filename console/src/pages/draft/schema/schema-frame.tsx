import { getRouteApi } from "@tanstack/react-router";
import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { lazy } from "react";
import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import { Button } from "#components/button";
import { Panel } from "../definition/panel.tsx";
import { useDraft } from "../draft-context.ts";
import { LazyPart } from "#components/lazy-part";
import { InferButton } from "./infer-button.tsx";

const JsonTab = lazy(() => import("./json-tab.tsx"));

const route = getRouteApi("/drafts/$draftId");

const toggleLook =
  "min-h-9 cursor-pointer rounded-md px-3 text-sm text-soft data-selected:bg-paper data-selected:text-text data-selected:shadow-sm data-focus-visible:outline-2 data-focus-visible:outline-strong";

/** A schema by fields or as JSON, whichever the address says. Both write the same. */
export function SchemaFrame({
  title,
  lead,
  place,
  value,
  onChange,
  children,
}: {
  title: string;
  lead: string;
  place: "inputSchema" | "outputSchema";
  value: JsonObject;
  onChange: (value: JsonObject) => void;
  children: ReactNode;
}): ReactNode {
  const { state, store } = useDraft();
  const { as } = route.useSearch();
  const navigate = route.useNavigate();
  const isJson = as === "json";
  const show = (way: "fields" | "json") =>
    void navigate({
      search: (before) => ({ ...before, as: way === "json" ? "json" : undefined }),
      replace: true,
    });
  const isUnreadable = state.texts[place] !== undefined;
  return (
    <Panel
      title={title}
      lead={lead}
      actions={
        <div className="flex flex-wrap gap-2">
          <InferButton place={place} />
          <ToggleButtonGroup
            aria-label={`How the ${title.toLowerCase()} is shown`}
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[isJson ? "json" : "fields"]}
            onSelectionChange={(keys) => show(keys.has("json") ? "json" : "fields")}
            className="flex rounded-lg bg-raised p-0.5"
          >
            <ToggleButton id="fields" className={toggleLook}>
              Fields
            </ToggleButton>
            <ToggleButton id="json" className={toggleLook}>
              JSON
            </ToggleButton>
          </ToggleButtonGroup>
        </div>
      }
    >
      {isJson ? (
        <LazyPart lines={4}>
          <JsonTab label={`${title} as JSON`} place={place} value={value} onChange={onChange} />
        </LazyPart>
      ) : (
        <>
          {isUnreadable ? (
            <div role="alert" className="grid gap-2 rounded-lg bg-warn-soft p-3 text-sm text-warn">
              <p>What was typed as JSON is not valid yet. These are the fields before it.</p>
              <div className="flex flex-wrap gap-2">
                <Button onPress={() => show("json")}>Go on with the JSON</Button>
                <Button onPress={() => store.setText(place, undefined)}>
                  Forget what was typed
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
