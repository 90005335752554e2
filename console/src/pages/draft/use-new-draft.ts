import { showToast } from "#components/toasts";
import { useCreateDraft } from "#components/use-create-draft";
import { messages } from "./messages.ts";

/** Creates another draft from the draft page, with a toast because both pages look alike. Calls `onCreated` before it opens the new draft. */
export function useNewDraft(onCreated?: () => void): ReturnType<typeof useCreateDraft> {
  return useCreateDraft(() => {
    onCreated?.();
    showToast(messages.page.newDraftCreated);
  });
}
