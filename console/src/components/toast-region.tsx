import { CircleAlert, CircleCheck, X } from "lucide-react";
import type { ReactNode } from "react";
import {
  Text,
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as AriaToastRegion,
} from "react-aria-components";
import { classes } from "#lib/class-names";
import { Button, IconButton } from "./button.tsx";
import { messages } from "./messages.ts";
import type { Toast } from "./toasts.tsx";
import { Name } from "./name.tsx";

const queue = new ToastQueue<Toast>({ maxVisibleToasts: 4 });

const shownMs = 5_000;
const shownWithActionMs = 10_000;

/** Adds a notification. Errors stay until the user closes them. */
export function addToast(toast: Toast): void {
  const timeout = toast.action === undefined ? shownMs : shownWithActionMs;
  queue.add(toast, toast.tone === "good" ? { timeout } : {});
}

/** The region that shows the notifications. */
export function ToastRegion(): ReactNode {
  return (
    <AriaToastRegion
      queue={queue}
      className="fixed right-4 bottom-4 z-50 grid w-80 max-w-[calc(100vw-2rem)] gap-2 outline-none"
    >
      {({ toast }) => (
        <AriaToast
          toast={toast}
          className={classes(
            "ui-float flex items-start gap-2 px-3! py-2! text-sm",
            toast.content.tone === "bad" && "border-bad!",
          )}
        >
          {toast.content.tone === "bad" ? (
            <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-bad" />
          ) : (
            <CircleCheck size={16} aria-hidden className="mt-0.5 shrink-0 text-good" />
          )}
          <ToastContent className="min-w-0 flex-1">
            <Text slot="title">
              <Name>{toast.content.text}</Name>
            </Text>
          </ToastContent>
          <ActionButton action={toast.content.action} onDone={() => queue.close(toast.key)} />
          <IconButton
            label={messages.close}
            isSmall
            className="-my-1 -mr-1.5"
            onPress={() => queue.close(toast.key)}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </AriaToast>
      )}
    </AriaToastRegion>
  );
}

function ActionButton({
  action,
  onDone,
}: {
  action: Toast["action"];
  onDone: () => void;
}): ReactNode {
  if (action === undefined) return null;
  return (
    <Button
      look="quiet"
      isSmall
      className="-my-1 text-strong"
      onPress={() => {
        action.onPress();
        onDone();
      }}
    >
      {action.label}
    </Button>
  );
}
