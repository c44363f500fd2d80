import { Anchor, Stack, Text } from '@mantine/core';
import type { QrCode } from '@signpost/contract';
import { Snippet } from '../../ui/snippet.tsx';
import classes from './waiting-for-scan.module.css';

/** The moment between the first code and its first scan. */
export function WaitingForScan({ code }: { readonly code: QrCode }) {
  return (
    <Stack gap="md">
      <div className={classes.row}>
        <span className={classes.pulse} aria-hidden="true" />
        <div>
          <Text fw={600}>
            {code.active ? 'Waiting for your first scan' : 'No scans while it is not active'}
          </Text>
          <Text size="sm" c="dimmed">
            Scan the image with a phone, or{' '}
            <Anchor href={code.short_url} target="_blank" rel="noreferrer" underline="always">
              open the short link
            </Anchor>
            . It shows up here by itself.
          </Text>
        </div>
      </div>
      <Snippet text={`curl -i ${code.short_url}`} what="curl command" />
    </Stack>
  );
}
