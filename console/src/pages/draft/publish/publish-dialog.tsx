import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { ApiProblem } from "#api/problem";
import { itemQuery } from "#api/queries";
import { Button } from "#components/button";
import { Dialog } from "#components/dialog";
import { ProblemNote } from "#components/page";
import { showToast } from "#components/toasts";
import { useSingleFlight } from "#lib/use-single-flight";
import { DefinitionProblems } from "../definition/definition-problems.tsx";
import { useDraft } from "../draft-context.ts";
import { markersOfErrors } from "../run/code-markers.ts";
import { useRunContext } from "../run/run-context.ts";
import { Changes } from "./changes.tsx";
import { ReplaySection } from "./replay-section.tsx";
import { ToolUnavailable } from "./tool-unavailable.tsx";
import { InvalidFieldsNotice } from "./invalid-fields-notice.tsx";

/** What changes for everybody, a try with known inputs, and then the step itself. */
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
  const publish = useMutation({
    mutationFn: async () => {
      await store.flush();
      const { revision } = store.getState();
      // What has been shown here is what the person has seen.
      const baseVersion = live.data?.version;
      const body = { revision, ...(baseVersion === undefined ? {} : { baseVersion }) };
      return api.send("POST /drafts/{id}/publish", { params: { id: draft.id }, body });
    },
    onSuccess: async (tool) => {
      store.end();
      void client.invalidateQueries({ queryKey: ["tools"] });
      void client.invalidateQueries({ queryKey: ["drafts", "pages"] });
      showToast(`Published as version ${tool.version}.`);
      await navigate({ to: "/tools/$name", params: { name: tool.name } });
    },
    onError: (error) => {
      if (!(error instanceof ApiProblem)) return;
      setMarkers(markersOfErrors(error.errors));
      // Somebody published meanwhile: what is live now is shown before anybody asks again.
      if (error.code === "version_not_live") void live.refetch();
    },
  });
  const { error } = publish;
  const isBehind = error instanceof ApiProblem && error.code === "version_not_live";
  const isAboutTool =
    error instanceof ApiProblem && error.code === "invalid_tool" && error.errors.length > 0;
  const isGone = live.error instanceof ApiProblem && live.error.status === 404;
  const isNewer = live.data !== undefined && live.data.version !== draft.baseVersion;
  return (
    <Dialog
      title={draft.toolName === null ? "Publish a new tool" : `Publish ${draft.toolName}`}
      isOpen
      isWide
      onClose={onClose}
    >
      {isNewer || isBehind ? (
        <p role="alert" className="rounded-lg bg-warn-soft p-3 text-sm text-warn">
          Somebody published version {live.data?.version} meanwhile; this draft was begun at version{" "}
          {draft.baseVersion}. Look at the difference to what is live now. Publishing replaces it.
        </p>
      ) : null}
      <Changes live={live.data} isPending={draft.toolName !== null && live.isPending} />
      {live.error === null ? null : isGone ? (
        <ToolUnavailable />
      ) : (
        <ProblemNote error={live.error} onRetry={() => void live.refetch()} />
      )}
      <InvalidFieldsNotice onGo={onClose} />
      {isGone ? null : <ReplaySection />}
      {error === null || isBehind ? null : isAboutTool ? (
        <DefinitionProblems problems={error.errors} onGo={onClose} />
      ) : (
        <ProblemNote error={error} />
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onPress={onClose}>Go on editing</Button>
        <Button
          look="primary"
          isPending={publish.isPending}
          isDisabled={draft.toolName !== null && live.data === undefined}
          onPress={() => oneAtATime(() => publish.mutateAsync())}
        >
          {isNewer || isBehind ? "Publish anyway" : "Publish"}
        </Button>
      </div>
    </Dialog>
  );
}
