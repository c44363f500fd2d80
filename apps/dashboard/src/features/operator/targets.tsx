import { Group, Stack, Text } from '@mantine/core';
import type { OperatorTarget } from '@signpost/contract';
import { useState } from 'react';
import { operatorText } from '../../strings/operator.ts';
import { Copy } from '../../ui/copy.tsx';
import { formatDate } from '../../ui/format.ts';
import { LongText, ShowAll } from '../../ui/long-text.tsx';
import { hostOf, targetNote } from './words.ts';

const text = operatorText.code;

/** Targets that are shown before somebody asks for the others. */
const collapsed = 3;

type Props = {
  readonly targets: readonly OperatorTarget[];
  readonly more: number;
  /** Whether the first one stands out. */
  readonly isLead?: boolean;
};

/** Where a code leads and led: hosts to be read at a glance, the rest small. Never links, which one might open by mistake. */
export function Targets({ targets, more, isLead = true }: Props) {
  const [open, setOpen] = useState(false);
  if (targets.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {text.deleted}
      </Text>
    );
  const isLong = targets.length > collapsed;
  return (
    <Stack gap="xs" miw={0}>
      {(open ? targets : targets.slice(0, collapsed)).map((target, index) => (
        // The same URL may be a target several times, and nothing reorders them.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Target key={index} target={target} isLead={isLead && index === 0} />
      ))}
      {isLong && (
        <ShowAll open={open} onToggle={() => setOpen(!open)}>
          {open ? text.target.fewer : text.target.all(targets.length)}
        </ShowAll>
      )}
      {more > 0 && (open || !isLong) && (
        <Text size="xs" c="dimmed" className="figures">
          {text.target.more(more)}
        </Text>
      )}
    </Stack>
  );
}

function Target({ target, isLead }: { readonly target: OperatorTarget; readonly isLead: boolean }) {
  const { url, removed_at: removedAt } = target;
  const note = targetNote(target);
  return (
    <Stack gap={2} miw={0} {...(removedAt ? { 'data-removed': true } : {})}>
      <Group gap={4} wrap="nowrap">
        <Text
          size={isLead ? 'lg' : 'sm'}
          fw={500}
          lh={1.3}
          {...(removedAt ? { c: 'dimmed' } : {})}
          style={{ overflowWrap: 'anywhere' }}
        >
          {hostOf(url)}
        </Text>
        <Copy value={url} what={text.destination} />
      </Group>
      {note !== '' && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {note}
        </Text>
      )}
      {removedAt && (
        <Text size="sm" c="dimmed">
          {text.target.removed(formatDate(removedAt))}
        </Text>
      )}
      <LongText text={url} what={text.theDestination} lines={2} size="xs" c="dimmed" ff="monospace" />
    </Stack>
  );
}
