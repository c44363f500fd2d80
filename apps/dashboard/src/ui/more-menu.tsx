import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';

type Props = {
  /** For screen readers: of what there is more. */
  readonly label: string;
  /** Beside other buttons it has a frame as they do. */
  readonly isFramed?: boolean;
  readonly position?: 'bottom-end' | 'top-end';
  readonly children: ReactNode;
};

/** The three dots behind which the rarer actions are. */
export function MoreMenu({ label, isFramed = false, position = 'bottom-end', children }: Props) {
  return (
    <Menu position={position} withinPortal>
      <Menu.Target>
        <ActionIcon variant={isFramed ? 'default' : 'subtle'} color="gray" size={36} aria-label={label}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
