import { useEffect, useRef, useState } from "react";
import type { PreparedRequest } from "./request.ts";
import { sendRequest } from "./send-request.ts";
import type { ApiResult } from "./send-request.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.try;

/** Sends one request at a time. Leaving the page cancels it. */
export function useSendRequest() {
  const running = useRef<AbortController>(undefined);
  const [isPending, setPending] = useState(false);
  const [result, setResult] = useState<ApiResult>();
  const [error, setError] = useState<string>();
  useEffect(() => () => running.current?.abort(), []);
  const send = (request: PreparedRequest, options: { apiKey: string; file: File | undefined }) => {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setPending(true);
    setResult(undefined);
    setError(undefined);
    const end = (text: string | undefined) => {
      if (running.current !== controller) return;
      setPending(false);
      setError(text);
    };
    sendRequest(request, { ...options, signal, onResult: setResult }).then(
      () => end(undefined),
      () => end(signal.aborted ? messages.cancelled : messages.failed),
    );
  };
  return { send, cancel: () => running.current?.abort(), isPending, result, error };
}
