import { Anchor, Stack, Text } from '@mantine/core';
import type { QrCode } from '@signpost/contract';
import { Snippet } from '../../ui/snippet.tsx';
import classes from './waiting-for-scan.module.css';

const waits: Readonly<Record<QrCode['availability']['state'], string>> = {
  live: 'Waiting for your first scan',
  off: 'No scans while it is not active',
  suspended: 'No scans while it is suspended',
  held: 'No scans before your e-mail is confirmed',
};

/** Where a scan would not count, nobody is asked to make one. */
const hints: Readonly<Partial<Record<QrCode['availability']['state'], string>>> = {
  suspended: 'Scans count again as soon as it is released.',
  held: 'From then on they show up here by themselves.',
};

/** The moment between the first code and its first scan. */
export function WaitingForScan({ code }: { readonly code: QrCode }) {
  const hint = hints[code.availability.state];
  if (hint)
    return (
      <div>
        <Text fw={600}>{waits[code.availability.state]}</Text>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      </div>
    );
  return (
    <Stack gap="md">
      <div className={classes.row}>
        <span className={classes.pulse} aria-hidden="true" />
        <div>
          <Text fw={600}>{waits[code.availability.state]}</Text>
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
