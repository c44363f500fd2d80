import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';

type Props = ButtonProps & {
  readonly 'aria-label'?: string;
  readonly reason: string;
  readonly children: ReactNode;
};

/** A button that would be refused. It keeps its place in the order of Tab, so that everybody can read why. */
export function RefusedButton({ reason, children, ...rest }: Props) {
  return (
    <Tooltip label={reason} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
      <Button {...rest} data-disabled aria-disabled onClick={(event: MouseEvent) => event.preventDefault()}>
        {children}
      </Button>
    </Tooltip>
  );
}
