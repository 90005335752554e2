import type { Run } from "@toolhost/contract";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/button";
import { CodeBlock } from "#components/copy";
import { Card } from "#components/page";
import { prettyJson } from "#lib/json";
import { saveFile } from "#lib/save-file";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.input;

/** A longer value would slow down the page. */
const maxShown = 20_000;

/** The recorded input of a run, in which secrets are redacted. */
export function RunInput({ run: { input, runId } }: { run: Run }): ReactNode {
  const text = prettyJson(input);
  const save = () =>
    saveFile(new Blob([text], { type: "application/json" }), `input-${runId.slice(-8)}.json`);
  if (Object.keys(input).length === 0) {
    return (
      <Card title={messages.title}>
        <p className="text-sm text-soft">{messages.empty}</p>
      </Card>
    );
  }
  return (
    <Card title={messages.title}>
      <CodeBlock
        label={text.length > maxShown ? messages.truncated : messages.json}
        code={text.slice(0, maxShown)}
        isWrapped
      />
      {text.length > maxShown ? (
        <Button onPress={save} className="justify-self-start">
          <Download size={16} aria-hidden />
          {messages.download}
        </Button>
      ) : null}
    </Card>
  );
}
