import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Credential, JsonObject } from "@toolhost/contract";
import { Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { itemQuery, meQuery } from "#api/queries";
import { Badge } from "#components/badges";
import { Button, IconButton } from "#components/button";
import { Checkbox, TextField } from "#components/fields";
import { useDraft } from "../draft-context.ts";
import { LinesField } from "../lines-field.tsx";
import { useRowFocus } from "../use-row-focus.ts";
import { Panel } from "./panel.tsx";
import { credentialsOf, objectsAt } from "./read-definition.ts";

/** The credentials that the code names, and whether they are there. */
export function CredentialsPanel(): ReactNode {
  const { definition, change } = useDraft();
  const { data: me } = useQuery(meQuery);
  const { data: known } = useQuery({
    ...itemQuery("/credentials", { query: { limit: 200 } }),
    enabled: me?.scopes.includes("credentials:write") === true,
  });
  const { rowsRef, follow } = useRowFocus<HTMLElement>();
  const raw = objectsAt(definition, "credentials");
  const set = (next: JsonObject[]) => change({ credentials: next.length === 0 ? undefined : next });
  const patch = (at: number, members: JsonObject) =>
    set(raw.map((one, index) => (index === at ? { ...one, ...members } : one)));
  return (
    <Panel
      rowsRef={rowsRef}
      title="Credentials"
      lead="The code sees a placeholder, as in ctx.credentials.API_KEY. It becomes the secret on its way to the hosts named here."
      actions={
        <Button
          data-add
          onPress={() => {
            follow("added");
            set([...raw, { name: freeName(raw), description: "", hosts: [] }]);
          }}
        >
          <Plus size={16} aria-hidden />
          Add a credential
        </Button>
      }
    >
      {credentialsOf(definition).map(({ name, description, hosts, expose }, at) => (
        <fieldset
          // Credentials are told apart by their place while their names are typed.
          // oxlint-disable-next-line react/no-array-index-key
          key={at}
          className="grid min-w-0 gap-3 rounded-xl border border-line p-4"
        >
          <legend className="sr-only">Credential {name}</legend>
          <div className="flex items-start justify-between gap-2">
            <Owners known={known} name={name} />
            <IconButton
              label={`Remove ${name}`}
              onPress={() => {
                follow("removed");
                set(raw.filter((_, index) => index !== at));
              }}
            >
              <Trash2 size={16} aria-hidden />
            </IconButton>
          </div>
          <TextField
            label="Name"
            isCode
            value={name}
            error={/^[A-Z][A-Z0-9_]{0,63}$/.test(name) ? undefined : "Use A-Z, 0-9 and _."}
            onChange={(value) => patch(at, { name: value.toUpperCase() })}
          />
          <TextField
            label="Description"
            hint="Where one gets it, and what it must be allowed to do."
            value={description}
            onChange={(value) => patch(at, { description: value })}
          />
          <LinesField
            label="Hosts it is sent to"
            hint="One a line. It goes to no other."
            lines={hosts}
            onChange={(value) => patch(at, { hosts: value })}
          />
          <Checkbox
            isSelected={expose}
            onChange={(isExposed) => patch(at, { expose: isExposed })}
            hint="Only for code that cannot work with a placeholder, such as signing. The owner of the credential has to allow it, and a public tool may not ask for it. Its hosts still hold: a request to another host that contains the value in a recognized spelling is refused."
          >
            Let the code read the value
          </Checkbox>
        </fieldset>
      ))}
    </Panel>
  );
}

function freeName(credentials: readonly JsonObject[]): string {
  const names = new Set(credentials.map(({ name }) => name));
  let free = "API_KEY";
  for (let count = 2; names.has(free); count += 1) free = `API_KEY_${count}`;
  return free;
}

/** Who has it. Whoever may not see credentials is told nothing. */
function Owners({
  known,
  name,
}: {
  known: readonly Credential[] | undefined;
  name: string;
}): ReactNode {
  if (known === undefined) return <span />;
  const owners = known.filter((one) => one.name === name).map(({ owner }) => owner);
  if (owners.length > 0) {
    return (
      <span className="flex flex-wrap gap-1">
        {owners.map((owner) => (
          <Badge key={owner} tone="good">
            {owner === "user" ? "You have it" : "The workspace has it"}
          </Badge>
        ))}
      </span>
    );
  }
  return (
    <span className="flex flex-wrap items-center gap-2 text-sm">
      <Badge tone="warn">Not added yet</Badge>
      <Link to="/credentials" className="text-strong underline">
        Add credential
      </Link>
    </span>
  );
}
