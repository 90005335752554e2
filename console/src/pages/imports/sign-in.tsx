import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CreatedCredential } from "@toolhost/contract";
import { LogIn } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { allItemsQuery } from "#api/queries";
import { Button } from "#components/button";
import { ConnectDialog } from "../credentials/connect-dialog.tsx";
import { CredentialDialog } from "../credentials/credential-dialog.tsx";
import { createInput, emptyForm } from "../credentials/credential-form.ts";
import { startForServer } from "./credential-start.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.create.signIn;

type Props = {
  url: string;
  /** The credential that the server refused; null if none was sent. */
  credential: string | null;
  /** Receives the name of a credential with which to continue. */
  onSignedIn: (credential: string) => void;
};

/** Says that an MCP server requires a sign-in, and starts one. Where that takes more than the URL, opens the form of a credential. */
export function SignIn({ url, credential, onSignedIn }: Props): ReactNode {
  const client = useQueryClient();
  const { data: existing = [] } = useQuery(allItemsQuery("/credentials"));
  const [connecting, setConnecting] = useState<CreatedCredential>();
  const [isAsking, setAsking] = useState(false);
  const start = startForServer(url);
  const name = unusedName(
    start.name ?? "",
    existing.map((one) => one.name),
  );
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      api.send("POST /credentials", { body: createInput({ ...emptyForm, ...start, name }) }),
    onSuccess: setConnecting,
    // A server without registration of clients, or with API keys.
    onError: () => setAsking(true),
    onSettled: () => client.invalidateQueries({ queryKey: ["credentials"] }),
  });
  const { host } = new URL(url);
  return (
    <div role="alert" className="ui-note warn flex flex-wrap items-center justify-between gap-2">
      <p className="min-w-0 flex-1 basis-48">
        {credential === null ? messages.needed(host) : messages.refused(host, credential)}
      </p>
      <Button isPending={isPending} onPress={() => mutate()}>
        <LogIn size={16} aria-hidden />
        {messages.action}
      </Button>
      {connecting === undefined ? null : (
        <ConnectDialog
          credential={connecting}
          onClose={() => {
            setConnecting(undefined);
            onSignedIn(connecting.name);
          }}
        />
      )}
      {isAsking ? (
        <CredentialDialog
          start={{ ...start, name }}
          onClose={() => setAsking(false)}
          onSaved={(saved) => {
            setAsking(false);
            if (saved.connectUrl === undefined) onSignedIn(saved.name);
            else setConnecting(saved);
          }}
        />
      ) : null}
    </div>
  );
}

function unusedName(name: string, names: readonly string[]): string {
  if (!names.includes(name)) return name;
  const numbered = Array.from({ length: names.length + 1 }, (_, at) => `${name}_${at + 2}`);
  return numbered.find((one) => !names.includes(one)) ?? name;
}
