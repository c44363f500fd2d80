import { Box, Table } from '@mantine/core';
import { analyticsText as text } from '../../strings/analytics.ts';
import { formatNumber } from '../../ui/format.ts';
import type { Bucket } from './buckets.ts';
import type { Interval } from './periods.ts';
import { bucketWords } from './series.ts';

type Props = { readonly buckets: readonly Bucket[]; readonly interval: Interval };

/** The chart in numbers, newest first. */
export function SeriesTable({ buckets, interval }: Props) {
  const isCompared = buckets.some(({ before }) => before !== null);
  return (
    <Box mah={320} style={{ overflow: 'auto' }} tabIndex={0} role="group" aria-label={text.overTime}>
      <Table verticalSpacing={6} aria-label={text.overTime} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.columns[interval]}</Table.Th>
            <Table.Th ta="right">{text.scans}</Table.Th>
            <Table.Th ta="right">{text.uniqueVisitors}</Table.Th>
            {isCompared && <Table.Th ta="right">{text.periodBefore}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {buckets.toReversed().map(bucket => (
            <Table.Tr key={bucket.date}>
              <Table.Td>{bucketWords(bucket, interval)}</Table.Td>
              <Table.Td ta="right">{formatNumber(bucket.scans)}</Table.Td>
              <Table.Td ta="right">{formatNumber(bucket.visitors)}</Table.Td>
              {isCompared && (
                <Table.Td ta="right">{bucket.before === null ? '–' : formatNumber(bucket.before)}</Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
