import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Draft, JsonObject, Run, ToolDetail } from "@toolhost/contract";
import { BookmarkPlus } from "lucide-react";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { Button } from "#components/button";
import { showToast } from "#components/toasts";
import { definitionOf } from "#lib/definition";
import { messages as allMessages } from "./messages.ts";
import { exampleOfRun } from "./run-example.ts";

const messages = allMessages.saveExample;

const maxExamples = 20;

/** Saves the run as an example in the draft that was run, or in a draft of the tool's next version, and opens it. */
export function SaveExampleButton({
  run,
  tool,
}: {
  run: Run;
  /** Undefined for the run of a draft. */
  tool: ToolDetail | undefined;
}): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const saved = exampleOfRun(run);
  const save = useMutation({
    mutationFn: (example: JsonObject) => saveExample(run, tool, example),
    onSuccess: async (draftId) => {
      void client.invalidateQueries({ queryKey: ["drafts"] });
      const omitted = saved?.omitted ?? [];
      showToast(omitted.length === 0 ? messages.done : messages.doneWithout(omitted));
      await navigate({ to: "/drafts/$draftId", params: { draftId }, search: { tab: "examples" } });
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  if (saved === undefined) return null;
  return (
    <Button isPending={save.isPending} onPress={() => save.mutate(saved.example)}>
      <BookmarkPlus size={16} aria-hidden />
      {messages.label}
    </Button>
  );
}

/** Returns the ID of the draft that has the example now. */
async function saveExample(
  run: Run,
  tool: ToolDetail | undefined,
  example: JsonObject,
): Promise<string> {
  const draft = await findDraft(run, tool);
  if (draft === undefined) {
    const definition = definitionOf(tool as ToolDetail);
    const body = { toolName: run.toolName, definition: withExample(definition, example) };
    return (await api.send("POST /drafts", { body })).id;
  }
  const { id, revision, definition } = draft;
  const body = { revision, definition: withExample(definition, example) };
  await api.send("PUT /drafts/{id}", { params: { id }, body });
  return id;
}

/** The draft that was run, or the user's latest one of the tool. */
async function findDraft(
  { draftId, toolName }: Run,
  tool: ToolDetail | undefined,
): Promise<Draft | undefined> {
  if (draftId !== null) return api.get("/drafts/{id}", { params: { id: draftId } });
  if (tool === undefined) return undefined;
  const { items } = await api.getPage("/drafts", { query: { toolName, limit: 1 } });
  const [latest] = items;
  return latest && api.get("/drafts/{id}", { params: { id: latest.id } });
}

function withExample(definition: JsonObject, example: JsonObject): JsonObject {
  const { examples } = definition;
  const all = Array.isArray(examples) ? examples : [];
  if (all.length >= maxExamples) throw new Error(messages.full(maxExamples));
  return { ...definition, examples: [...all, example] };
}
