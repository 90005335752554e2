import type { Run } from "@toolhost/contract";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/button";
import { CodeBlock } from "#components/copy";
import { Card } from "#components/page";
import { prettyJson } from "#lib/json";
import { saveFile } from "#lib/save-file";

/** A page stays quick with so much text of one value in it. */
const maxShown = 20_000;

/** What the run was given, as its record has it: secrets are not in it. */
export function RunInput({ run: { input, runId } }: { run: Run }): ReactNode {
  const text = prettyJson(input);
  const save = () =>
    saveFile(new Blob([text], { type: "application/json" }), `input-${runId.slice(-8)}.json`);
  if (Object.keys(input).length === 0) {
    return (
      <Card title="Input">
        <p className="text-sm text-soft">It was given nothing.</p>
      </Card>
    );
  }
  return (
    <Card title="Input">
      <CodeBlock
        label={text.length > maxShown ? "The beginning, as JSON" : "JSON"}
        code={text.slice(0, maxShown)}
        isWrapped
      />
      {text.length > maxShown ? (
        <Button onPress={save} className="justify-self-start">
          <Download size={16} aria-hidden />
          Save all of it
        </Button>
      ) : null}
    </Card>
  );
}
