import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { CreatedCredential } from "@toolhost/contract";
import { ExternalLink } from "lucide-react";
import { useEffect } from "react";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { Button } from "#components/button";
import { Dialog } from "#components/dialog";
import { messages } from "./messages.ts";

const text = messages.connect;

/** Links to the provider's consent page, and waits for the connection to become ready. */
export function ConnectDialog({
  credential,
  onClose,
}: {
  credential: CreatedCredential;
  onClose: () => void;
}): ReactNode {
  const { id, name, connectUrl, expiresAt } = credential;
  const { data: isConnected = false } = useQuery({
    queryKey: ["credentials", "watched", id, connectUrl],
    queryFn: async ({ signal }) => {
      const all = await api.get("/credentials", { query: { limit: 200 }, signal });
      const now = all.find((one) => one.id === id);
      // A connection that is being renewed was ready before; a new token has another expiry.
      return (
        now?.status === "ready" && (credential.status !== "ready" || now.expiresAt !== expiresAt)
      );
    },
    refetchInterval: ({ state }) => (state.data === true ? false : 2_000),
  });
  const client = useQueryClient();
  useEffect(() => {
    if (!isConnected) return;
    // The list behind the dialog, which nothing else refreshes.
    const isList = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[1] !== "watched";
    void client.invalidateQueries({ queryKey: ["credentials"], predicate: isList });
  }, [client, isConnected]);
  return (
    <Dialog title={text.title(name)} isOpen onClose={onClose}>
      {isConnected ? (
        <p role="status" className="rounded-lg bg-good-soft px-3 py-2 text-good">
          {text.connected}
        </p>
      ) : (
        <>
          <p className="text-soft">{text.lead}</p>
          <p role="status" className="text-sm text-soft">
            {text.waiting}
          </p>
          <a
            href={connectUrl}
            target="_blank"
            rel="noreferrer"
            className="ui-button primary justify-self-start"
          >
            {text.open}
            <ExternalLink size={15} aria-hidden />
          </a>
        </>
      )}
      <div className="flex justify-end">
        <Button onPress={onClose}>{isConnected ? text.done : text.later}</Button>
      </div>
    </Dialog>
  );
}
