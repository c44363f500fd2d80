import { Table } from '@mantine/core';
import { analyticsText as text } from '../../strings/analytics.ts';
import { formatNumber, formatShare } from '../../ui/format.ts';
import { LinkAnchor } from '../../ui/router-link.tsx';
import type { Report } from './queries.ts';
import type { CodeAnalyticsSearch } from './search.ts';

type Props = {
  readonly codes: NonNullable<Report['topCodes']>;
  readonly total: number;
  /** A code opens with the period and the filters of this page. */
  readonly search: CodeAnalyticsSearch;
};

export function TopCodes({ codes, total, search }: Props) {
  return (
    <Table verticalSpacing={6} horizontalSpacing={0} aria-label={text.topCodes}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.code}</Table.Th>
          <Table.Th ta="right">{text.scans}</Table.Th>
          <Table.Th w={56} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {codes.map(({ qr_id, name, scans }) => (
          <Table.Tr key={qr_id}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <LinkAnchor size="sm" to="/codes/$id/analytics" params={{ id: qr_id }} search={search}>
                {name}
              </LinkAnchor>
            </Table.Td>
            <Table.Td ta="right">{formatNumber(scans)}</Table.Td>
            <Table.Td ta="right" c="dimmed">
              {formatShare(scans, total)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
