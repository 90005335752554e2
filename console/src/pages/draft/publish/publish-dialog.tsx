import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { ApiProblem } from "#api/problem";
import { itemQuery } from "#api/queries";
import { Button } from "#components/button";
import { Dialog, DialogActions } from "#components/dialog";
import { ProblemNote } from "#components/page";
import { showToast } from "#components/toasts";
import { useSingleFlight } from "#lib/use-single-flight";
import { DefinitionProblems } from "../definition/definition-problems.tsx";
import { useDraft } from "../draft-context.ts";
import { markersOfErrors } from "../run/code-markers.ts";
import { useRunContext } from "../run/run-context.ts";
import { PublishExamples } from "../examples/publish-examples.tsx";
import { Changes } from "./changes.tsx";
import { Checklist, useChecklist } from "./checklist.tsx";
import { messages as allMessages } from "./messages.ts";
import { ReplaySection } from "./replay-section.tsx";
import { ToolUnavailable } from "./tool-unavailable.tsx";
import { InvalidFieldsNotice } from "./invalid-fields-notice.tsx";

const messages = allMessages.dialog;

/** Shows the changes and what speaks against them, offers to run known inputs, and publishes the draft. */
export default function PublishDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { draft, store } = useDraft();
  const { setMarkers } = useRunContext();
  const client = useQueryClient();
  const navigate = useNavigate();
  const live = useQuery({
    ...itemQuery("/tools/{name}", { params: { name: draft.toolName ?? "" } }),
    enabled: draft.toolName !== null,
    staleTime: 0,
  });
  const oneAtATime = useSingleFlight();
  const [isDuplicate, setIsDuplicate] = useState(false);
  const items = useChecklist(live.data?.visibility);
  const isBlocked = items?.some(({ level }) => level === "blocked") === true;
  const publish = useMutation({
    mutationFn: async () => {
      await store.flush();
      const { revision } = store.getState();
      // The service refuses when the live version is not the one that was reviewed here.
      const baseVersion = live.data?.version;
      const body = {
        revision,
        allowDuplicate: isDuplicate,
        ...(baseVersion === undefined ? {} : { baseVersion }),
      };
      return api.send("POST /drafts/{id}/publish", { params: { id: draft.id }, body });
    },
    onSuccess: async (tool) => {
      store.end();
      void client.invalidateQueries({ queryKey: ["tools"] });
      void client.invalidateQueries({ queryKey: ["drafts", "pages"] });
      showToast(messages.published(tool.version));
      await navigate({ to: "/tools/$name", params: { name: tool.name } });
    },
    onError: (error) => {
      if (!(error instanceof ApiProblem)) return;
      setMarkers(markersOfErrors(error.errors));
      // Another version was published; load it, so that the user reviews it before publishing again.
      if (error.code === "version_not_live") void live.refetch();
      if (error.code === "already_imported") setIsDuplicate(true);
    },
  });
  const { error } = publish;
  const code = error instanceof ApiProblem ? error.code : undefined;
  const isBehind = code === "version_not_live";
  const isAboutTool =
    error instanceof ApiProblem && error.code === "invalid_tool" && error.errors.length > 0;
  const isUnavailable = live.error instanceof ApiProblem && live.error.status === 404;
  const isNewer = live.data !== undefined && live.data.version !== draft.baseVersion;
  return (
    <Dialog
      title={draft.toolName === null ? messages.newTool : messages.existingTool(draft.toolName)}
      isOpen
      isWide
      onClose={onClose}
    >
      {isNewer || isBehind ? (
        <p role="alert" className="rounded-lg bg-warn-soft p-3 text-sm text-warn">
          {messages.newerVersion(live.data?.version, draft.baseVersion)}
        </p>
      ) : null}
      <Changes live={live.data} isPending={draft.toolName !== null && live.isPending} />
      {live.error === null ? null : isUnavailable ? (
        <ToolUnavailable />
      ) : (
        <ProblemNote error={live.error} onRetry={() => void live.refetch()} />
      )}
      <InvalidFieldsNotice onGo={onClose} />
      <Checklist items={items ?? []} onGo={onClose} />
      <PublishExamples onGo={onClose} />
      {isUnavailable || draft.toolName === null ? null : (
        <ReplaySection toolName={draft.toolName} />
      )}
      {isDuplicate ? (
        <p role="alert" className="rounded-lg bg-warn-soft p-3 text-sm text-warn">
          {messages.duplicate}
        </p>
      ) : null}
      {error === null || isBehind || code === "already_imported" ? null : isAboutTool ? (
        <DefinitionProblems problems={error.errors} onGo={onClose} />
      ) : (
        <ProblemNote error={error} />
      )}
      <DialogActions>
        <Button onPress={onClose}>{messages.continueEditing}</Button>
        <Button
          look="primary"
          isPending={publish.isPending}
          isDisabled={isBlocked || (draft.toolName !== null && live.data === undefined)}
          onPress={() => oneAtATime(() => publish.mutateAsync())}
        >
          {isDuplicate
            ? messages.publishAnother
            : isNewer || isBehind || items?.length
              ? messages.publishAnyway
              : messages.publish}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
