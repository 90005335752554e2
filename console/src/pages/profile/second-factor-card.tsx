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

/** A code of an authenticator app beside the password. */
export function SecondFactorCard(): ReactNode {
  const client = useQueryClient();
  const { data: account } = useQuery(accountQuery);
  const { data: signInMethods } = useQuery(signInMethodsQuery);
  const [doing, setDoing] = useState<"enable" | "disable" | "codes">();
  const close = () => {
    setDoing(undefined);
    void client.invalidateQueries({ queryKey: ["auth"] });
    // It changes the session as well.
    void client.invalidateQueries({ queryKey: ["sessions"] });
  };
  const isOn = account?.hasSecondFactor === true;
  const hasPassword =
    signInMethods?.some(({ providerId }) => providerId === "credential") !== false;
  return (
    <Card
      title="Second factor"
      actions={<Badge tone={isOn ? "good" : "soft"}>{isOn ? "on" : "off"}</Badge>}
    >
      <p className="text-soft">
        {!hasPassword
          ? "You sign in by a provider; set up a second factor there."
          : isOn
            ? "Signing in asks for a code of your authenticator app, or for one of your backup codes."
            : "With it, signing in asks for a code of an authenticator app on your phone, so that a stolen password alone is of no use."}
      </p>
      {account === undefined || !hasPassword ? null : (
        <div className="flex flex-wrap gap-2">
          {isOn ? (
            <>
              <Button onPress={() => setDoing("codes")}>Make new backup codes</Button>
              <Button look="danger" onPress={() => setDoing("disable")}>
                Turn it off
              </Button>
            </>
          ) : (
            <Button look="primary" onPress={() => setDoing("enable")}>
              Turn it on
            </Button>
          )}
        </div>
      )}
      {doing === "enable" ? <EnableDialog onClose={close} /> : null}
      {doing === "disable" ? <DisableDialog onClose={close} /> : null}
      {doing === "codes" ? <BackupCodesDialog onClose={close} /> : null}
    </Card>
  );
}
