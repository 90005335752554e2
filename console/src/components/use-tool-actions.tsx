import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { definitionOf } from "#lib/definition";
import { useSingleFlight } from "#lib/use-single-flight";
import { messages as allMessages } from "./messages-tool.ts";
import { showToast } from "./toasts.tsx";

const messages = allMessages.actions;

const maxTitleLength = 80;

type Actions = {
  /** Opens the user's draft of the tool, or creates one. */
  edit: (name: string) => void;
  /** Creates a draft of a new tool with the same definition. */
  duplicate: (name: string) => void;
  isPending: boolean;
};

/** The actions that open a tool in the editor. Errors are shown in a toast. */
export function useToolActions(): Actions {
  const client = useQueryClient();
  const navigate = useNavigate();
  const open = useMutation({
    mutationFn: (make: () => Promise<string>) => make(),
    onSuccess: (draftId) => {
      void client.invalidateQueries({ queryKey: ["drafts"] });
      return navigate({ to: "/drafts/$draftId", params: { draftId } });
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  const oneAtATime = useSingleFlight();
  return {
    edit: (name) => oneAtATime(() => open.mutateAsync(() => openOrCreateDraft(name))),
    duplicate: (name) => oneAtATime(() => open.mutateAsync(() => createCopy(name))),
    isPending: open.isPending,
  };
}

async function openOrCreateDraft(toolName: string): Promise<string> {
  const query = { toolName, limit: 1 };
  const [existing] = (await api.getPage("/drafts", { query })).items;
  if (existing !== undefined) return existing.id;
  const tool = await api.get("/tools/{name}", { params: { name: toolName } });
  const body = { toolName, definition: definitionOf(tool) };
  return (await api.send("POST /drafts", { body })).id;
}

async function createCopy(name: string): Promise<string> {
  const tool = await api.get("/tools/{name}", { params: { name } });
  const { visibility, ...definition } = definitionOf(tool);
  const title = messages.copyTitle(tool.title).slice(0, maxTitleLength).trim();
  // A copy never starts as public, because it would be visible on the whole server.
  const shared = visibility === "public" ? {} : { visibility };
  // `copyOf` makes the copy require approval again: the author of the original chose its credentials, not this user.
  const body = { copyOf: name, definition: { ...definition, ...shared, title } };
  return (await api.send("POST /drafts", { body })).id;
}
