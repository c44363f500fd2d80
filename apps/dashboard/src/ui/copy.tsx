import { ActionIcon, Button, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

type Props = { readonly value: string; readonly what: string; readonly withLabel?: boolean };

/** Copies a value and says that it did. */
export function Copy({ value, what, withLabel = false }: Props) {
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => {
        const icon = copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />;
        if (withLabel) {
          return (
            <Button variant="default" leftSection={icon} onClick={copy} aria-label={`Copy ${what}`}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          );
        }
        return (
          <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
            <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={`Copy ${what}`}>
              {icon}
            </ActionIcon>
          </Tooltip>
        );
      }}
    </CopyButton>
  );
}
