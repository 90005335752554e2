import { Copy, Ellipsis, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { Badge, StatusBadge } from "#components/badges";
import { Button, IconButton } from "#components/button";
import { CodeBlock } from "#components/copy";
import { ConfirmDialog } from "#components/dialog";
import { TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { Initial } from "#components/initial";
import { Menu } from "#components/menu";
import { Card, EmptyState, ProblemNote, Skeleton } from "#components/page";
import { SelectField } from "#components/select-field";
import { Tabs } from "#components/tabs";
import { showToast } from "#components/toasts";
import { Row, Section } from "./section.tsx";

const tabs = [
  { id: "run", label: "Run", content: <p>The content of a tab.</p> },
  { id: "documentation", label: "Documentation", content: <p>Another content.</p> },
] as const;
const expiries = [
  { id: "month", label: "In 30 days" },
  { id: "never", label: "Never", hint: "Revoke it when it is no longer needed" },
] as const;
const tones = ["soft", "strong", "good", "warn", "bad"] as const;
const statuses = ["running", "completed", "failed", "cancelled"] as const;

/** What contains or follows controls. */
export function Surfaces(): ReactNode {
  const [tab, setTab] = useState<"run" | "documentation">("run");
  return (
    <>
      <Section title="Badges and notes">
        <Row>
          {tones.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
          {statuses.map((status) => (
            <StatusBadge key={status} status={status} />
          ))}
        </Row>
        <p className="ui-note">A note about the page.</p>
        <p className="ui-note warn">Copy the key now. It is shown only once.</p>
        <p className="ui-note bad">The tool lets its code see the value.</p>
      </Section>
      <Section title="Menus, dialogs and notifications">
        <Overlays />
      </Section>
      <Section title="Tabs">
        <Tabs label="Sections" tabs={tabs} selected={tab} onSelect={setTab} />
      </Section>
      <Section title="Cards, lists and code">
        <Card title="Examples" actions={<Button isSmall>Add example</Button>}>
          <p className="text-soft">A bordered section of a page.</p>
        </Card>
        <ul className="ui-card">
          {["Weather forecast", "Unit converter"].map((name) => (
            <li
              key={name}
              className="flex items-center border-b border-line px-4 py-3 last:border-b-0"
            >
              <Initial name={name} title={name} className="mr-3" />
              <span className="flex-1 font-medium">{name}</span>
              <Button>Run</Button>
            </li>
          ))}
        </ul>
        <CodeBlock label="curl" code="curl https://tools.example.com/api/v1/tools" />
      </Section>
      <Section title="Empty, failed and loading">
        <EmptyState title="No credentials" action={<Button look="primary">Add credential</Button>}>
          Secrets that tools use.
        </EmptyState>
        <ProblemNote error={new Error("The service can't be reached.")} onRetry={() => {}} />
        <Skeleton lines={2} />
      </Section>
    </>
  );
}

function Overlays(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [isFormOpen, setFormOpen] = useState(false);
  const [name, setName] = useState("");
  return (
    <Row>
      <Menu
        label="Actions"
        trigger={
          <IconButton label="More actions">
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
        entries={[
          {
            id: "copy",
            label: "Duplicate",
            icon: <Copy size={16} aria-hidden />,
            onAction: () => {},
          },
          {
            id: "delete",
            label: "Delete",
            icon: <Trash2 size={16} aria-hidden />,
            isDangerous: true,
            onAction: () => {},
          },
        ]}
      />
      <Button onPress={() => setOpen(true)}>Open dialog</Button>
      <ConfirmDialog
        title="Revoke key?"
        action="Revoke key"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={() => Promise.resolve()}
      >
        Programs that use this key can no longer call the service.
      </ConfirmDialog>
      <Button onPress={() => setFormOpen(true)}>Open form</Button>
      <FormDialog
        title="Create key"
        action="Create key"
        isOpen={isFormOpen}
        onClose={() => setFormOpen(false)}
        onSubmit={() => setFormOpen(false)}
        isPending={false}
        error={new Error("The service can't be reached.")}
      >
        <TextField label="Key name" isRequired value={name} onChange={setName} />
        <SelectField label="Expires" choices={expiries} value="never" onChange={() => {}} />
      </FormDialog>
      <Button onPress={() => showToast("Key created")}>Show notification</Button>
      <Button onPress={() => showToast("The service can't be reached.", "bad")}>Show error</Button>
    </Row>
  );
}
