import { Badge, Group, Stack, Text } from '@mantine/core';
import type { OperatorCode } from '@signpost/contract';
import { Copy } from '../../ui/copy.tsx';
import { formatDate, formatNumber, shownUrl } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Destination } from './destination.tsx';

/** A code of anybody: its short link, its state, where it leads, and what is known about it. */
export function CodeSummary({ code }: { readonly code: OperatorCode }) {
  const madeBy = code.made_by === 'api' ? 'made by API' : 'made in the dashboard';
  const scans = `${formatNumber(code.total_scans)} ${code.total_scans === 1 ? 'scan' : 'scans'}`;
  return (
    <Stack gap="xs" miw={0}>
      <Group gap="xs">
        <Group gap={4} wrap="nowrap" miw={0}>
          <Text size="sm" fw={600} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {shownUrl(code.short_url)}
          </Text>
          <Copy value={code.short_url} what="short link" />
        </Group>
        <StatusBadge status={code.status} />
        {code.suspended && <StatusBadge status="suspended" />}
        {code.mode === 'test' && (
          <Badge color="yellow" variant="light" tt="none" fw={600}>
            Test
          </Badge>
        )}
      </Group>
      <Destination url={code.destination_url} />
      <Text size="sm" c="dimmed" className="figures" style={{ overflowWrap: 'anywhere' }}>
        {code.name}, {scans}, {madeBy} on {formatDate(code.created_at)}
      </Text>
    </Stack>
  );
}
