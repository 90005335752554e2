import { Link } from "@tanstack/react-router";
import type { LinkProps } from "@tanstack/react-router";
import { toVisibleText } from "@toolhost/ui/visible-text";
import type { ComponentProps, ReactNode, Ref } from "react";
import { createContext, useContext, useEffect } from "react";
import { announce } from "#lib/announce";
import { classes } from "#lib/class-names";
import { messages } from "./messages.ts";

type Look = "primary" | "plain" | "quiet" | "danger";

type NativeProps = Omit<ComponentProps<"button">, "className" | "disabled" | "onClick" | "ref">;

export type ButtonProps = NativeProps & {
  look?: Look;
  isSmall?: boolean;
  isDisabled?: boolean;
  isPending?: boolean;
  onPress?: (() => void) | undefined;
  className?: string;
};

/** What a button does as the trigger of a popover, in place of its own action. */
type TriggerProps = NativeProps & { ref: Ref<HTMLButtonElement>; onPress: () => void };

export const TriggerContext = createContext<TriggerProps | undefined>(undefined);

const toClass = (look: Look, isSmall: boolean, className: string | undefined) =>
  classes("ui-button", look, isSmall && "small", className);

/** A button. While `isPending`, it keeps its focus and announces progress. */
export function Button({
  look = "plain",
  isSmall = false,
  isDisabled = false,
  isPending = false,
  type = "button",
  className,
  ...rest
}: ButtonProps): ReactNode {
  const {
    onPress,
    "aria-label": label,
    ...props
  }: NativeProps & { onPress?: (() => void) | undefined } = {
    ...rest,
    ...useContext(TriggerContext),
  };
  useEffect(() => {
    if (isPending) announce(messages.inProgress);
  }, [isPending]);
  return (
    <button
      {...props}
      // Labels contain names that users and apps chose.
      aria-label={label === undefined ? undefined : toVisibleText(label)}
      type={isPending ? "button" : type}
      disabled={isDisabled}
      // Not disabled, because it would lose the focus.
      aria-disabled={isPending || undefined}
      data-pending={isPending || undefined}
      className={toClass(look, isSmall, className)}
      onClick={(event) => {
        // Safari does not focus a pressed button, to which a dialog returns the focus.
        if (document.activeElement !== event.currentTarget) event.currentTarget.focus();
        if (onPress === undefined) return;
        event.stopPropagation();
        if (!isPending) onPress();
      }}
    />
  );
}

/** A button with only an icon; `label` is its accessible name. */
export function IconButton({ label, ...rest }: ButtonProps & { label: string }): ReactNode {
  return (
    <Button look="quiet" aria-label={label} {...rest} className={classes("icon", rest.className)} />
  );
}

/** A link within the console that looks like a button. */
export function LinkButton({
  look = "plain",
  isSmall = false,
  className,
  children,
  ...rest
}: LinkProps & {
  look?: Look;
  isSmall?: boolean;
  className?: string;
  children: ReactNode;
}): ReactNode {
  return (
    <Link {...rest} className={toClass(look, isSmall, className)}>
      {children}
    </Link>
  );
}
