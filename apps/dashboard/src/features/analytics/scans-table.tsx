import { Badge, Table } from '@mantine/core';
import type { ScanRecord } from '@signpost/contract';
import { analyticsText as text } from '../../strings/analytics.ts';
import { formatDateTime, nameOfAgent, placeName } from '../../ui/format.ts';
import { WideTable } from '../../ui/wide-table.tsx';

type Props = {
  readonly scans: readonly ScanRecord[];
  readonly caption: string;
};

/** Single scans, newest first. */
export function ScansTable({ scans, caption }: Props) {
  const { when, where, device, browser, visitor } = text.scanColumns;
  return (
    <WideTable label={caption} minWidth={560} verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          {[when, where, device, browser, visitor].map(title => (
            <Table.Th key={title}>{title}</Table.Th>
          ))}
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
              <Badge variant="light" color={scan.is_unique ? 'signpost' : 'gray'} tt="none" fw={400}>
                {scan.is_unique ? text.newVisitor : text.returning}
              </Badge>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}
