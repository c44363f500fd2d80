import { Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { BrowseItem } from '@signpost/contract';
import { lazy, Suspense } from 'react';
import { Copy } from '../../ui/copy.tsx';
import { formatDate, formatNumber, shownPath, shownUrl } from '../../ui/format.ts';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import classes from './codes-table.module.css';

const Sparkline = lazy(() =>
  import('./scan-sparkline.tsx').then(module => ({ default: module.ScanSparkline })),
);

type Props = { readonly codes: readonly BrowseItem[] };

/** One row a code; on a phone one card a code, since a table of six columns cannot be read there. */
export function CodesTable({ codes }: Props) {
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  return narrow ? <Cards codes={codes} /> : <Rows codes={codes} />;
}

function Rows({ codes }: Props) {
  return (
    <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover className={classes.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name and destination</Table.Th>
          <Table.Th w={180}>Short link</Table.Th>
          <Table.Th w={168}>Status</Table.Th>
          <Table.Th w={132}>Last 14 days</Table.Th>
          <Table.Th w={104} ta="right">
            Scans
          </Table.Th>
          <Table.Th w={136} ta="right">
            Created
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {codes.map(code => (
          <Table.Tr key={code.id}>
            <Table.Td>
              <NameOf code={code} />
            </Table.Td>
            <Table.Td>
              <ShortLink code={code} />
            </Table.Td>
            <Table.Td>
              <Statuses code={code} />
            </Table.Td>
            <Table.Td>
              <Trend code={code} />
            </Table.Td>
            <Table.Td ta="right">{formatNumber(code.total_scans)}</Table.Td>
            <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
              {formatDate(code.created_at)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Cards({ codes }: Props) {
  return (
    <Stack gap={0} component="ul" className={classes.cards}>
      {codes.map(code => (
        <li key={code.id} className={classes.card}>
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <NameOf code={code} />
            <Statuses code={code} />
          </Group>
          <Group justify="space-between" wrap="nowrap" mt="xs">
            <ShortLink code={code} />
            <Trend code={code} />
          </Group>
          <Text size="sm" c="dimmed" className="figures">
            {formatNumber(code.total_scans)} {code.total_scans === 1 ? 'scan' : 'scans'}, created{' '}
            {formatDate(code.created_at)}
          </Text>
        </li>
      ))}
    </Stack>
  );
}

/** What the owner has set, and beside it what stops the code whatever that is. */
function Statuses({ code: { status, availability } }: { readonly code: BrowseItem }) {
  return (
    <Stack gap={4} align="flex-start" style={{ flexShrink: 0 }}>
      <StatusBadge status={status} />
      {(availability.state === 'suspended' || availability.state === 'held') && (
        <StatusBadge status={availability.state} />
      )}
    </Stack>
  );
}

function NameOf({ code }: { readonly code: BrowseItem }) {
  return (
    <div className={classes.name}>
      <LinkAnchor to="/codes/$id" params={{ id: code.id }} fw={600} className={classes.oneLine}>
        {code.name}
      </LinkAnchor>
      <Text size="sm" c="dimmed" className={classes.oneLine} title={code.destination_url}>
        {shownUrl(code.destination_url)}
      </Text>
    </div>
  );
}

function ShortLink({ code }: { readonly code: BrowseItem }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="sm" ff="monospace" className={classes.oneLine} title={code.short_url}>
        {shownPath(code.short_url)}
      </Text>
      <Copy value={code.short_url} what={`short link of ${code.name}`} />
    </Group>
  );
}

function Trend({ code }: { readonly code: BrowseItem }) {
  return (
    <Suspense fallback={<Skeleton w={104} h={32} />}>
      {code.sparkline && <Sparkline scans={code.sparkline} />}
    </Suspense>
  );
}
