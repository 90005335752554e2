import { showToast } from "#components/toasts";
import { useBeginDraft } from "#components/use-begin-draft";

/** Begins another draft from within one, which is said, as both look the same. `onBegun` is called before it is gone to. */
export function useNewDraft(onBegun?: () => void): ReturnType<typeof useBeginDraft> {
  return useBeginDraft(() => {
    onBegun?.();
    showToast("This is a new draft.");
  });
}
