import { Badge, Table } from '@mantine/core';
import type { ScanRecord } from '@signpost/contract';
import { formatDateTime, nameOfAgent, placeName } from '../../ui/format.ts';
import { WideTable } from '../../ui/wide-table.tsx';

type Props = { readonly scans: readonly ScanRecord[]; readonly caption: string };

/** Single scans, newest first. */
export function ScansTable({ scans, caption }: Props) {
  return (
    <WideTable label={caption} minWidth={560} verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>When</Table.Th>
          <Table.Th>Where</Table.Th>
          <Table.Th>Device</Table.Th>
          <Table.Th>Browser</Table.Th>
          <Table.Th>Visitor</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {scans.map(scan => (
          <Table.Tr key={scan.id}>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatDateTime(scan.timestamp)}</Table.Td>
            <Table.Td>{placeName(scan)}</Table.Td>
            <Table.Td>{nameOfAgent(scan.device)}</Table.Td>
            <Table.Td>{nameOfAgent(scan.browser)}</Table.Td>
            <Table.Td>
              <Badge variant="light" color={scan.is_unique ? 'signpost' : 'gray'} tt="none">
                {scan.is_unique ? 'New' : 'Again'}
              </Badge>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}
