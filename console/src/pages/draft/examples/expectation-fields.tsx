import type { ErrorCode, ExampleExpectation, JsonObject, RunErrorCode } from "@toolhost/contract";
import { patternProblem } from "@toolhost/tool-schema";
import type { ReactNode } from "react";
import { TextField } from "#components/fields";
import { SelectField } from "#components/select-field";
import type { Choice } from "#components/select-field";
import { isObject } from "#lib/json";
import { objectAt, textAt } from "../definition/read-definition.ts";
import { JsonField } from "../json-field.tsx";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.expectation;

type Type = ExampleExpectation["type"];

const types = Object.keys(messages.types) as Type[];

/** The kind of an example's expectation. Without one, the output must contain the example's. */
export function expectationType(example: JsonObject): Type {
  const given = textAt(objectAt(example, "expect"), "type");
  return types.find((type) => type === given) ?? "subset";
}

const starts: Record<Type, JsonObject | undefined> = {
  // What an example without an expectation means.
  subset: undefined,
  equal: { type: "equal" },
  snapshot: { type: "snapshot" },
  schema: { type: "schema", schema: { type: "object", required: [] } },
  pattern: { type: "pattern", path: "", pattern: "." },
  failure: { type: "failure", code: "tool_error" },
};

/** What a run with the input of an example must end with. */
export function ExpectationFields({
  example,
  at,
  onChange,
}: {
  example: JsonObject;
  at: number;
  onChange: (example: JsonObject) => void;
}): ReactNode {
  const type = expectationType(example);
  const expectation = objectAt(example, "expect");
  const pattern = textAt(expectation, "pattern");
  const code = textAt(expectation, "code");
  const setPart = (name: string) => (value: JsonObject[string]) =>
    onChange({ ...example, expect: { ...expectation, [name]: value } });
  const setType = (next: Type) => {
    const { expect: _old, ...rest } = example;
    const expect = starts[next];
    onChange(expect === undefined ? rest : { ...rest, expect });
  };
  return (
    <>
      <SelectField
        label={messages.label}
        value={type}
        choices={types.map((id) => ({ id, label: messages.types[id] }))}
        onChange={setType}
      />
      {type === "snapshot" && !isObject(example["output"]) ? (
        <p className="text-sm text-soft">{messages.snapshotHint}</p>
      ) : null}
      {type === "schema" ? (
        <JsonField
          label={messages.schema}
          path={`examples/${at}/expect/schema`}
          value={expectation["schema"]}
          isObjectOnly
          onChange={(value) => setPart("schema")(value ?? {})}
        />
      ) : null}
      {type === "pattern" ? (
        <>
          <TextField
            label={messages.path}
            hint={messages.pathHint}
            isCode
            value={textAt(expectation, "path")}
            onChange={setPart("path")}
          />
          <TextField
            label={messages.pattern}
            isCode
            value={pattern}
            error={pattern === "" ? messages.patternRequired : patternProblem(pattern)}
            onChange={setPart("pattern")}
          />
        </>
      ) : null}
      {type === "failure" ? (
        <SelectField
          label={messages.code}
          value={code}
          choices={codeChoices(code)}
          onChange={setPart("code")}
        />
      ) : null}
    </>
  );
}

const codes: Record<
  RunErrorCode | Extract<ErrorCode, "invalid_input" | "credentials_missing">,
  true
> = {
  tool_error: true,
  invalid_input: true,
  invalid_output: true,
  timeout: true,
  cpu_limit: true,
  memory_limit: true,
  output_too_large: true,
  egress_denied: true,
  credentials_missing: true,
  interrupted: true,
  sandbox_lost: true,
};

/** The error codes of runs and of inputs that are refused, and another one that a folder or a program has written. */
function codeChoices(code: string): Choice<string>[] {
  const known = Object.keys(codes).map((id) => ({ id, label: id }));
  const other = { id: code, label: code, hint: messages.unknownCode };
  return Object.hasOwn(codes, code) ? known : [other, ...known];
}
