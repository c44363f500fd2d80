import { Badge, Group, Stack, Text } from '@mantine/core';
import type { OperatorCode } from '@signpost/contract';
import { operatorText } from '../../strings/operator.ts';
import { Copy } from '../../ui/copy.tsx';
import { Dot } from '../../ui/dot.tsx';
import { formatDate, shownUrl } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Targets } from './targets.tsx';

const text = operatorText.code;

/** A code of anybody: its short link, its state, where it leads, and what is known about it. */
export function CodeSummary({ code }: { readonly code: OperatorCode }) {
  const made = text.made[code.made_by](formatDate(code.created_at));
  const scans = text.scans(code.total_scans);
  return (
    <Stack gap="xs" miw={0}>
      <Group gap="xs">
        <Group gap={4} wrap="nowrap" miw={0}>
          <Text size="sm" fw={500} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {shownUrl(code.short_url)}
          </Text>
          <Copy value={code.short_url} what={text.shortLink} />
        </Group>
        <StatusBadge status={code.status} />
        {code.suspended && <StatusBadge status="suspended" />}
        {code.mode === 'test' && (
          <Badge color="yellow" variant="light" tt="none" fw={500}>
            {text.test}
          </Badge>
        )}
      </Group>
      <Targets targets={code.targets} more={code.more_targets} />
      <Text size="sm" c="dimmed" className="figures" style={{ overflowWrap: 'anywhere' }}>
        {code.name}
        <Dot />
        {scans}
        <Dot />
        {made}
      </Text>
    </Stack>
  );
}
