import { Link } from "@tanstack/react-router";
import type { LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import type { ButtonProps as AriaButtonProps } from "react-aria-components/Button";
import { classes } from "#lib/class-names";

type Look = "primary" | "plain" | "quiet" | "danger";

export type ButtonProps = Omit<AriaButtonProps, "className"> & {
  look?: Look;
  isSmall?: boolean;
  className?: string;
};

const toClass = (look: Look, isSmall: boolean, className: string | undefined) =>
  classes("ui-button", look, isSmall && "small", className);

/** A button. While `isPending`, it keeps its focus and announces progress. */
export function Button({
  look = "plain",
  isSmall = false,
  className,
  ...rest
}: ButtonProps): ReactNode {
  return <AriaButton {...rest} className={toClass(look, isSmall, className)} />;
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
