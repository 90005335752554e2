import type { JsonObject } from "@toolhost/tool-schema/json";
import type { ReactNode } from "react";
import { useState } from "react";
import { Button } from "#components/button";
import { TextField } from "#components/fields";
import { Card } from "#components/page";
import { SelectField } from "#components/select-field";
import { CodeTabs } from "./code-tabs.tsx";
import type { Operation, Parameter } from "./document.ts";
import {
  idempotencyHeader,
  initialValues,
  isFileBody,
  keyOf,
  prepareRequest,
  responseTypesOf,
} from "./request.ts";
import type { RequestValues } from "./request.ts";
import { ResponseView } from "./response-view.tsx";
import { choicesOf, sampleOf } from "./schema.ts";
import { useSendRequest } from "./use-send-request.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.try;

type TabProps = { root: JsonObject; operation: Operation };

/** A form that sends the operation's request, and the same request as code. */
export function TryTab({ root, operation }: TabProps): ReactNode {
  const [values, setValues] = useState(() => initialValues(root, operation));
  const [file, setFile] = useState<File>();
  const [apiKey, setApiKey] = useState("");
  const { send, cancel, isPending, result, error } = useSendRequest();
  const { origin } = location;
  const prepare = (isExample: boolean) =>
    prepareRequest(root, operation, values, { origin, isExample });
  const isWrite = operation.method !== "GET";
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <form
        className="ui-card grid min-w-0 grid-cols-1 gap-4 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) send(prepare(false), { apiKey, file });
        }}
      >
        {isWrite ? <p className="ui-note warn">{messages.realData}</p> : null}
        <ParameterFields operation={operation} values={values} onChange={setValues} />
        <BodyFields {...{ root, operation, values }} onChange={setValues} onFile={setFile} />
        <ResponseTypeField operation={operation} values={values} onChange={setValues} />
        {operation.access === "key" ? (
          <TextField
            label={messages.apiKey}
            hint={messages.keyHint}
            type="password"
            autoComplete="off"
            className="max-w-xl"
            value={apiKey}
            onChange={setApiKey}
          />
        ) : null}
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            look={operation.method === "DELETE" ? "danger" : "primary"}
            isPending={isPending}
          >
            {messages.send}
          </Button>
          {isPending ? <Button onPress={cancel}>{messages.cancel}</Button> : null}
        </div>
      </form>
      <ResponseView result={result} error={error} />
      {operation.access === "session" ? null : (
        <Card title={messages.request}>
          <CodeTabs request={prepare(true)} operation={operation} />
        </Card>
      )}
    </div>
  );
}

type FieldsProps = {
  operation: Operation;
  values: RequestValues;
  onChange: (values: RequestValues) => void;
};

function ParameterFields({ operation, values, onChange }: FieldsProps): ReactNode {
  return operation.parameters.map((parameter) => {
    const key = keyOf(parameter);
    return (
      <ParameterField
        key={key}
        parameter={parameter}
        value={values.parameters.get(key) ?? ""}
        onChange={(value) =>
          onChange({ ...values, parameters: new Map([...values.parameters, [key, value]]) })
        }
      />
    );
  });
}

function ParameterField({
  parameter: { name, isRequired, description, schema },
  value,
  onChange,
}: {
  parameter: Parameter;
  value: string;
  onChange: (value: string) => void;
}): ReactNode {
  const choices = choicesOf(schema);
  if (choices.length > 0) {
    const unset = { id: "", label: messages.notSet };
    return (
      <SelectField
        label={name}
        className="max-w-xl"
        choices={[unset, ...choices.map((choice) => ({ id: choice, label: choice }))]}
        value={value}
        onChange={onChange}
      />
    );
  }
  const isId = name === idempotencyHeader;
  const hint = isId ? messages.idempotencyHint : description.replaceAll("`", "");
  return (
    <TextField
      label={name}
      {...(hint === "" ? {} : { hint })}
      isRequired={isRequired && !isId}
      className="max-w-xl"
      autoComplete="off"
      spellCheck="false"
      value={value}
      onChange={onChange}
    />
  );
}

function ResponseTypeField({ operation, values, onChange }: FieldsProps): ReactNode {
  const types = responseTypesOf(operation);
  const [first = ""] = types;
  return types.length < 2 ? null : (
    <SelectField
      label={messages.responseType}
      className="max-w-xl"
      choices={types.map((type) => ({ id: type, label: type }))}
      value={values.accept ?? first}
      onChange={(type) => onChange({ ...values, accept: type === first ? undefined : type })}
    />
  );
}

type BodyProps = FieldsProps & { root: JsonObject; onFile: (file: File | undefined) => void };

function BodyFields({ root, operation, values, onChange, onFile }: BodyProps): ReactNode {
  const { bodies, isBodyRequired } = operation;
  const body = bodies.find(({ mediaType }) => mediaType === values.mediaType);
  if (body === undefined) return null;
  const select = (mediaType: string) => {
    const selected = bodies.find((one) => one.mediaType === mediaType);
    const text = JSON.stringify(sampleOf(root, selected?.schema ?? {}), null, 2);
    onChange({ ...values, mediaType, text });
  };
  return (
    <>
      {bodies.length > 1 ? (
        <SelectField
          label={messages.mediaType}
          className="max-w-xl"
          choices={bodies.map(({ mediaType }) => ({ id: mediaType, label: mediaType }))}
          value={body.mediaType}
          onChange={select}
        />
      ) : null}
      {isFileBody(body) ? (
        <label className="ui-field max-w-xl">
          <span className="ui-label required">{messages.file}</span>
          <input
            type="file"
            required
            className="ui-input"
            onChange={(event) => onFile(event.target.files?.[0])}
          />
        </label>
      ) : (
        <TextField
          label={messages.jsonBody}
          isRequired={isBodyRequired}
          isCode
          rows={Math.min(20, Math.max(5, values.text.split("\n").length))}
          spellCheck="false"
          value={values.text}
          onChange={(text) => onChange({ ...values, text })}
        />
      )}
    </>
  );
}
