import { Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { Button, IconButton } from "#components/button";
import { Checkbox, Switch, TextField } from "#components/fields";
import { SearchField } from "#components/search-field";
import { SelectField } from "#components/select-field";
import { Columns, Row, Section } from "./section.tsx";

const looks = ["primary", "plain", "quiet", "danger"] as const;
const regions = [
  { id: "eu", label: "Europe", hint: "Frankfurt" },
  { id: "us", label: "United States", hint: "Virginia" },
];

/** Buttons and fields. */
export function Controls(): ReactNode {
  return (
    <>
      <Buttons />
      <Section title="Fields">
        <Fields />
      </Section>
      <Section title="Choices">
        <Choices />
      </Section>
    </>
  );
}

function Buttons(): ReactNode {
  return (
    <Section title="Buttons">
      {looks.map((look) => (
        <Row key={look}>
          <Button look={look}>Save changes</Button>
          <Button look={look}>
            <Plus size={16} aria-hidden />
            Create tool
          </Button>
          <Button look={look} isSmall>
            Copy
          </Button>
          <Button look={look} isPending>
            Saving
          </Button>
          <Button look={look} isDisabled>
            Save changes
          </Button>
          <IconButton
            label="Delete"
            look={look}
            className={look === "quiet" ? "" : "text-inherit!"}
          >
            <Trash2 size={16} aria-hidden />
          </IconButton>
        </Row>
      ))}
    </Section>
  );
}

function Fields(): ReactNode {
  const [query, setQuery] = useState("weather");
  const [region, setRegion] = useState("eu");
  return (
    <>
      <SearchField label="Search" placeholder="Search tools" value={query} onChange={setQuery} />
      <Columns>
        <TextField label="Name" placeholder="Weather forecast" hint="Shown in lists." />
        <TextField label="Email address" type="email" isRequired defaultValue="ada@example.com" />
        <TextField label="Invalid" defaultValue="ada@" error="Enter an email address." />
        <TextField
          label="Disabled"
          defaultValue="Not now"
          isDisabled
          hint="Owners can change it."
        />
        <TextField label="Read-only" defaultValue="wf_3kq9" isReadOnly />
        <TextField label="Number" defaultValue="30" inputMode="numeric" />
        <TextField label="Description" rows={3} defaultValue="Returns the forecast for a city." />
        <TextField label="Hosts" rows={3} isCode defaultValue={"api.example.com\n*.example.org"} />
        <SelectField label="Region" choices={regions} value={region} onChange={setRegion} />
        <SelectField
          label="Region, disabled"
          choices={regions}
          value="us"
          onChange={() => {}}
          isDisabled
        />
      </Columns>
    </>
  );
}

function Choices(): ReactNode {
  const [isOn, setOn] = useState(true);
  const state = { isSelected: isOn, onChange: setOn };
  return (
    <Columns>
      <Checkbox {...state} hint="Everyone in the workspace can run it.">
        Share with the workspace
      </Checkbox>
      <Checkbox isSelected={false} onChange={() => {}}>
        Not selected
      </Checkbox>
      <Checkbox isSelected isDisabled onChange={() => {}}>
        Selected, disabled
      </Checkbox>
      <Checkbox isSelected={false} isDisabled onChange={() => {}}>
        Not selected, disabled
      </Checkbox>
      <Switch {...state} hint="Takes effect immediately.">
        Accept updates
      </Switch>
      <Switch isSelected={false} onChange={() => {}}>
        Off
      </Switch>
      <Switch isSelected isDisabled onChange={() => {}}>
        On, disabled
      </Switch>
      <Switch isSelected={false} isDisabled onChange={() => {}}>
        Off, disabled
      </Switch>
    </Columns>
  );
}
