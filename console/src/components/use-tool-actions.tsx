import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { definitionOf } from "#lib/definition";
import { useSingleFlight } from "#lib/use-single-flight";
import { showToast } from "./toasts.tsx";

const maxTitleLength = 80;

type Actions = {
  /** Opens the person's draft of the tool, or begins one. */
  edit: (name: string) => void;
  /** Begins a new tool that says the same. */
  duplicate: (name: string) => void;
  isPending: boolean;
};

/** What leads from a tool to the editor. A refusal is told in a corner. */
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
    edit: (name) => oneAtATime(() => open.mutateAsync(() => reopenOrBegin(name))),
    duplicate: (name) => oneAtATime(() => open.mutateAsync(() => beginCopy(name))),
    isPending: open.isPending,
  };
}

async function reopenOrBegin(toolName: string): Promise<string> {
  const query = { toolName, limit: 1 };
  const [kept] = (await api.getPage("/drafts", { query })).items;
  if (kept !== undefined) return kept.id;
  const tool = await api.get("/tools/{name}", { params: { name: toolName } });
  const body = { toolName, definition: definitionOf(tool) };
  return (await api.send("POST /drafts", { body })).id;
}

async function beginCopy(name: string): Promise<string> {
  const tool = await api.get("/tools/{name}", { params: { name } });
  const { visibility, ...definition } = definitionOf(tool);
  const title = `Copy of ${tool.title}`.slice(0, maxTitleLength).trim();
  // Nobody means to give a copy that is not finished to the whole server.
  const shared = visibility === "public" ? {} : { visibility };
  // Its author wrote what it asks for, so the copy gets no credentials before the person approves that.
  const body = { copyOf: name, definition: { ...definition, ...shared, title } };
  return (await api.send("POST /drafts", { body })).id;
}
