import { Link } from "@tanstack/react-router";
import type { LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components";
import type { ButtonProps as AriaButtonProps } from "react-aria-components";
import { classes } from "#lib/class-names";

type Look = "primary" | "plain" | "quiet" | "danger";

const base =
  "inline-flex min-h-9 items-center justify-center gap-2 rounded-lg px-3.5 py-1.5 text-sm font-medium whitespace-nowrap transition-colors";
const looks: Record<Look, string> = {
  primary: "bg-strong text-on-strong hover:opacity-90",
  plain: "border border-edge bg-paper hover:bg-raised",
  quiet: "hover:bg-raised",
  danger: "border border-bad text-bad hover:bg-bad-soft",
};

export type ButtonProps = Omit<AriaButtonProps, "className"> & {
  look?: Look;
  className?: string;
};

/** A button. While `isPending`, it keeps its focus and announces progress. */
export function Button({ look = "plain", className, ...rest }: ButtonProps): ReactNode {
  return (
    <AriaButton
      {...rest}
      className={({ isDisabled, isPending }) =>
        classes(base, looks[look], (isDisabled || isPending) && "opacity-55", className)
      }
    />
  );
}

/** A button with only an icon; `label` is its accessible name. */
export function IconButton({ label, ...rest }: ButtonProps & { label: string }): ReactNode {
  return (
    <Button
      look="quiet"
      aria-label={label}
      {...rest}
      className={classes("min-w-9 px-2 text-soft", rest.className)}
    />
  );
}

/** A link within the console that looks like a button. */
export function LinkButton({
  look = "plain",
  className,
  children,
  ...rest
}: LinkProps & { look?: Look; className?: string; children: ReactNode }): ReactNode {
  return (
    <Link {...rest} className={classes(base, looks[look], className)}>
      {children}
    </Link>
  );
}
