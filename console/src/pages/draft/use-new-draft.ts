import { showToast } from "#components/toasts";
import { useCreateDraft } from "#components/use-create-draft";

/** Begins another draft from within one, which is said, as both look the same. `onCreated` is called before it is gone to. */
export function useNewDraft(onCreated?: () => void): ReturnType<typeof useCreateDraft> {
  return useCreateDraft(() => {
    onCreated?.();
    showToast("This is a new draft.");
  });
}
