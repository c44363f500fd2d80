import { Table } from '@mantine/core';
import type { AggregateAnalytics } from '@signpost/contract';
import { formatNumber } from '../../ui/format.ts';
import { LinkAnchor } from '../../ui/router-link.tsx';

type Props = { readonly codes: AggregateAnalytics['top_qr_codes'] };

export function TopCodes({ codes }: Props) {
  return (
    <Table verticalSpacing="xs" horizontalSpacing={0} aria-label="Most scanned codes">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Code</Table.Th>
          <Table.Th ta="right">Scans</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {codes.map(({ qr_id, name, scans }) => (
          <Table.Tr key={qr_id}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <LinkAnchor to="/codes/$id/analytics" params={{ id: qr_id }}>
                {name}
              </LinkAnchor>
            </Table.Td>
            <Table.Td ta="right">{formatNumber(scans)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
