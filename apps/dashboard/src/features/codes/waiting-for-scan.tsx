import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import type { QrCode } from '@signpost/contract';
import { codesText } from '../../strings/codes.ts';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { useRefusal } from '../shell/use-refusal.ts';
import { UseApi } from './use-api.tsx';
import { useUpdateCode } from './use-update-code.tsx';
import classes from './waiting-for-scan.module.css';

const text = codesText.scans;

/** The moment between the first code and its first scan. */
export function WaitingForScan({ code }: { readonly code: QrCode }) {
  return (
    <Stack gap="sm">
      <div className={classes.row}>
        <span className={classes.pulse} aria-hidden="true" />
        <div>
          <Text fw={500}>{text.waiting}</Text>
          <Text size="sm" c="dimmed">
            <Sentence
              text={text.waitingHint}
              parts={{
                link: (
                  <Anchor href={code.short_url} target="_blank" rel="noreferrer" underline="always" inherit>
                    {text.openLink}
                  </Anchor>
                ),
              }}
            />
          </Text>
        </div>
      </div>
      <UseApi command={`curl -i ${code.short_url}`} />
    </Stack>
  );
}

/** Where a scan would not count, nobody is asked to make one; where the owner can change that, here is how. */
export function NoScans({ code }: { readonly code: QrCode }) {
  const { title, hint, action } = wordsFor(code);
  return (
    <Group justify="space-between" gap="md">
      <div style={{ flex: '1 1 14rem' }}>
        <Text fw={500}>{title}</Text>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      </div>
      {action && <Activate code={code} label={action} />}
    </Group>
  );
}

function Activate({ code, label }: { readonly code: QrCode; readonly label: string }) {
  const { change, isPending } = useUpdateCode(code);
  const refusal = useRefusal('qrcodes:write');
  if (refusal) return <RefusedButton reason={refusal}>{label}</RefusedButton>;
  return (
    <Button loading={isPending} onClick={() => change({ active: true })}>
      {label}
    </Button>
  );
}

function wordsFor({ status, availability }: QrCode): { title: string; hint: string; action?: string } {
  const { publish, resume } = codesText.actions;
  if (status === 'draft') return { title: text.draft, hint: text.draftHint, action: publish };
  if (status === 'paused') return { title: text.paused, hint: text.pausedHint, action: resume };
  return availability.state === 'held'
    ? { title: text.held, hint: text.heldHint }
    : { title: text.suspended, hint: text.suspendedHint };
}
