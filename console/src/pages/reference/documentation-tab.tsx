import type { JsonObject } from "@toolhost/tool-schema/json";
import type { ReactNode } from "react";
import { Fragment } from "react";
import { Card } from "#components/page";
import { CodeTabs } from "./code-tabs.tsx";
import type { Answer, ErrorCode, Operation, Place } from "./document.ts";
import { FieldList, SchemaFields } from "./field-list.tsx";
import { InlineText } from "./inline-text.tsx";
import { initialValues, prepareRequest } from "./request.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.operation;
const places: readonly Place[] = ["path", "query", "header"];

/** What an operation takes and returns, with an example in each language. */
export function DocumentationTab({
  root,
  operation,
}: {
  root: JsonObject;
  operation: Operation;
}): ReactNode {
  const { parameters, bodies, isBodyRequired, access } = operation;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      {access === "webhook" ? null : (
        <Card title={messages.example}>
          <Example root={root} operation={operation} />
        </Card>
      )}
      {places.map((place) => {
        const fields = parameters.filter((parameter) => parameter.place === place);
        return fields.length === 0 ? null : (
          <Card key={place} title={messages.places[place]}>
            <FieldList root={root} fields={fields} />
          </Card>
        );
      })}
      {bodies.length === 0 ? null : (
        <Card title={isBodyRequired ? messages.body : messages.bodyOptional}>
          <Bodies root={root} bodies={bodies} />
        </Card>
      )}
      {operation.answers.map((answer) => (
        <ResponseCard key={answer.status} root={root} answer={answer} />
      ))}
      {operation.errors.length === 0 ? null : <ErrorsCard errors={operation.errors} />}
    </div>
  );
}

function Example({ root, operation }: { root: JsonObject; operation: Operation }): ReactNode {
  if (operation.access === "session") {
    return <p className="text-sm text-soft">{messages.sessionOnly}</p>;
  }
  const { origin } = location;
  const values = initialValues(root, operation);
  const request = prepareRequest(root, operation, values, { origin, isExample: true });
  return <CodeTabs request={request} operation={operation} />;
}

function Bodies({ root, bodies }: Pick<Answer, "bodies"> & { root: JsonObject }): ReactNode {
  return bodies.map(({ mediaType, schema }) => (
    <Fragment key={mediaType}>
      {bodies.length > 1 || mediaType !== "application/json" ? (
        <h3 className="font-mono text-xs font-semibold">{mediaType}</h3>
      ) : null}
      <SchemaFields root={root} schema={schema} />
    </Fragment>
  ));
}

function ResponseCard({ root, answer }: { root: JsonObject; answer: Answer }): ReactNode {
  const { status, description, bodies, headers } = answer;
  return (
    <Card title={messages.response(status)}>
      <p className="text-sm">
        <InlineText text={description} />
      </p>
      <Bodies root={root} bodies={bodies} />
      {headers.length === 0 ? null : (
        <details className="text-sm">
          <summary className="cursor-pointer text-xs text-strong">{messages.headers}</summary>
          <dl className="mt-2 grid gap-2">
            {headers.map(({ name, description: text }) => (
              <div key={name}>
                <dt className="font-mono text-xs font-semibold">{name}</dt>
                <dd className="text-soft">
                  <InlineText text={text} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </Card>
  );
}

function ErrorsCard({ errors }: { errors: readonly ErrorCode[] }): ReactNode {
  return (
    <Card title={messages.errors}>
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b border-line text-left text-soft">
            {[messages.status, messages.code, messages.meaning].map((title) => (
              <th key={title} scope="col" className="py-1 pr-3 font-medium">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {errors.map(({ status, code, title }) => (
            <tr key={`${status} ${code}`} className="border-b border-line last:border-0">
              <td className="py-1 pr-3 align-top tabular-nums">{status}</td>
              <td className="py-1 pr-3 align-top font-mono text-xs/5">{code}</td>
              <td className="py-1 align-top text-soft">{title}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
