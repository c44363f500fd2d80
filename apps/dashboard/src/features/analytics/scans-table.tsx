import { Badge, Table } from '@mantine/core';
import type { ScanRecord } from '@signpost/contract';
import { analyticsText as text } from '../../strings/analytics.ts';
import { formatDateTime, nameOfAgent, placeName } from '../../ui/format.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import type { CodeNames } from './filters.ts';

type Props = {
  readonly scans: readonly ScanRecord[];
  readonly caption: string;
  /** Only of one code. */
  readonly names?: CodeNames;
  readonly isPlaced?: boolean;
  readonly isRouted?: boolean;
};

const anywhere = { overflowWrap: 'anywhere' } as const;

/** Single scans, newest first. */
export function ScansTable({ scans, caption, names, isPlaced = false, isRouted = false }: Props) {
  const { when, where, placement, target, device, browser, visitor } = text.scanColumns;
  const titles = [
    when,
    where,
    ...(isPlaced ? [placement] : []),
    ...(isRouted ? [target] : []),
    device,
    browser,
    visitor,
  ];
  return (
    <WideTable
      label={caption}
      minWidth={560 + (isPlaced ? 140 : 0) + (isRouted ? 140 : 0)}
      verticalSpacing="xs"
    >
      <Table.Thead>
        <Table.Tr>
          {titles.map(title => (
            <Table.Th key={title}>{title}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {scans.map(scan => (
          <Table.Tr key={scan.id}>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatDateTime(scan.timestamp)}</Table.Td>
            <Table.Td>{placeName(scan)}</Table.Td>
            {names && isPlaced && (
              <Table.Td style={anywhere}>{scan.placement && names.placement(scan.placement)}</Table.Td>
            )}
            {names && isRouted && <Table.Td style={anywhere}>{names.target(scan.target_id)}</Table.Td>}
            <Table.Td>{nameOfAgent(scan.device)}</Table.Td>
            <Table.Td>{nameOfAgent(scan.browser)}</Table.Td>
            <Table.Td>
              <Badge
                variant="light"
                color={scan.is_unique ? 'signpost' : 'gray'}
                tt="none"
                fw={400}
                miw="fit-content"
              >
                {scan.is_unique ? text.newVisitor : text.returning}
              </Badge>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}
