import { X } from "lucide-react";
import type { ReactNode } from "react";
import {
  Text,
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from "react-aria-components";
import { classes } from "#lib/class-names";
import { IconButton } from "./button.tsx";
import { messages } from "./messages.ts";

type Toast = { text: string; tone: "good" | "bad" };

const queue = new ToastQueue<Toast>({ maxVisibleToasts: 4 });

/** Shows a notification in the corner of the page. Errors stay until the user closes them. */
export function showToast(text: string, tone: Toast["tone"] = "good"): void {
  queue.add({ text, tone }, tone === "good" ? { timeout: 5_000 } : {});
}

/** The region that shows the notifications. */
export function Toasts(): ReactNode {
  return (
    <ToastRegion
      queue={queue}
      className="fixed right-4 bottom-4 z-50 grid w-80 max-w-[calc(100vw-2rem)] gap-2 outline-none"
    >
      {({ toast }) => (
        <AriaToast
          toast={toast}
          className={classes(
            "flex items-start justify-between gap-2 rounded-lg border bg-paper p-3 text-sm shadow-lg",
            toast.content.tone === "bad" ? "border-bad" : "border-line",
          )}
        >
          <ToastContent>
            <Text slot="title">{toast.content.text}</Text>
          </ToastContent>
          <IconButton slot="close" label={messages.close} className="-m-1">
            <X size={16} aria-hidden />
          </IconButton>
        </AriaToast>
      )}
    </ToastRegion>
  );
}
