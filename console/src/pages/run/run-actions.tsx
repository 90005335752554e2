import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Me, Run, ToolDetail } from "@toolhost/contract";
import { RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { Button, LinkButton } from "#components/button";
import { MoreButton } from "#components/more-button";
import { Menu } from "#components/menu";
import { showToast } from "#components/toasts";
import { copyText } from "#lib/copy-text";
import { rightsTo } from "#lib/rights";
import { SaveExampleButton } from "./save-example-button.tsx";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.actions;

function copy(text: string): void {
  copyText(text).then(
    () => showToast(messages.copied),
    (error: unknown) => showToast(errorMessage(error), "bad"),
  );
}

/** The actions on a run: copy its ID or link, compare it, cancel it, run it again, open its draft. */
export function RunActions({
  run,
  me,
  tool,
}: {
  run: Run;
  me: Me | undefined;
  /** Undefined if it is archived, uninstalled or a draft. */
  tool: ToolDetail | undefined;
}): ReactNode {
  const { runId, status, toolName, draft, draftId } = run;
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => api.send("POST /runs/{runId}/cancel", { params: { runId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["runs"] }),
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  const link = `${location.origin}/runs/${runId}`;
  const canSave = draft ? draftId !== null : tool?.source !== undefined && rightsTo(tool, me).edit;
  const canRun = me?.scopes.includes("mcp:execute") === true;
  return (
    <>
      {status === "running" ? null : (
        <LinkButton to="/runs/$runId/compare" params={{ runId }}>
          {messages.compare}
        </LinkButton>
      )}
      {canSave ? <SaveExampleButton run={run} tool={draft ? undefined : tool} /> : null}
      {draftId === null || draftId === undefined ? null : (
        <LinkButton to="/drafts/$draftId" params={{ draftId }}>
          {messages.openDraft}
        </LinkButton>
      )}
      {status === "running" && canRun ? (
        <Button look="danger" isPending={cancel.isPending} onPress={() => cancel.mutate()}>
          {cancel.isPending ? messages.cancelling : messages.cancel}
        </Button>
      ) : null}
      {canRun && tool !== undefined && !draft ? (
        <LinkButton
          to="/tools/$name"
          params={{ name: toolName }}
          search={{ tab: "run", again: runId }}
          look={status === "running" ? "plain" : "primary"}
        >
          <RotateCcw size={16} aria-hidden />
          {messages.runAgain}
        </LinkButton>
      ) : null}
      <Menu
        label={messages.menu}
        trigger={<MoreButton label={messages.menuButton} />}
        entries={[
          { id: "link", label: messages.copyLink, onAction: () => copy(link) },
          { id: "id", label: messages.copyId, onAction: () => copy(runId) },
        ]}
      />
    </>
  );
}
