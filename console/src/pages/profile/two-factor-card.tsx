import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { accountQuery, signInMethodsQuery } from "#api/auth";
import { Badge } from "#components/badges";
import { Button } from "#components/button";
import { Card } from "#components/page";
import { BackupCodesDialog } from "./backup-codes-dialog.tsx";
import { EnableDialog } from "./enable-dialog.tsx";
import { DisableDialog } from "./disable-dialog.tsx";
import { messages } from "./messages.ts";

const text = messages.twoFactor;

/** Two-factor authentication with an authenticator app. */
export function TwoFactorCard(): ReactNode {
  const client = useQueryClient();
  const { data: account } = useQuery(accountQuery);
  const { data: signInMethods } = useQuery(signInMethodsQuery);
  const [dialog, setDialog] = useState<"enable" | "disable" | "codes">();
  const close = () => {
    setDialog(undefined);
    void client.invalidateQueries({ queryKey: ["auth"] });
    // The change also renews the session.
    void client.invalidateQueries({ queryKey: ["sessions"] });
  };
  const isOn = account?.hasSecondFactor === true;
  const hasPassword =
    signInMethods?.some(({ providerId }) => providerId === "credential") !== false;
  return (
    <Card
      title={text.title}
      actions={<Badge tone={isOn ? "good" : "soft"}>{isOn ? text.on : text.off}</Badge>}
    >
      <p className="text-soft">
        {!hasPassword ? text.external : isOn ? text.onLead : text.offLead}
      </p>
      {account === undefined || !hasPassword ? null : (
        <div className="flex flex-wrap gap-2">
          {isOn ? (
            <>
              <Button onPress={() => setDialog("codes")}>{text.regenerateCodes}</Button>
              <Button look="danger" onPress={() => setDialog("disable")}>
                {text.turnOff}
              </Button>
            </>
          ) : (
            <Button look="primary" onPress={() => setDialog("enable")}>
              {text.turnOn}
            </Button>
          )}
        </div>
      )}
      {dialog === "enable" ? <EnableDialog onClose={close} /> : null}
      {dialog === "disable" ? <DisableDialog onClose={close} /> : null}
      {dialog === "codes" ? <BackupCodesDialog onClose={close} /> : null}
    </Card>
  );
}
