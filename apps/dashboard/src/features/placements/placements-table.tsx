import { Table, Text, VisuallyHidden } from '@mantine/core';
import type { QrCode } from '@signpost/contract';
import { memo } from 'react';
import { placementsText as text } from '../../strings/placements.ts';
import { formatNumber } from '../../ui/format.ts';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { shownLink } from '../domains/short-base.ts';
import { useMe } from '../shell/me.ts';
import type { PlacementLine } from './placement-figures.ts';
import { PlacementMenu } from './placement-menu.tsx';

type Props = {
  readonly code: QrCode;
  readonly lines: readonly PlacementLine[];
  readonly preset: '30d' | 'all';
};

const anywhere = { overflowWrap: 'anywhere' } as const;

/** Each place with its link, its figures and its code. The scans lead to the analytics of that place. */
export const PlacementsTable = memo(function PlacementsTable({ code, lines, preset }: Props) {
  const { scans, visitors, actions } = text.columns;
  return (
    <WideTable label={text.title} minWidth={560}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.name}</Table.Th>
          <Table.Th>{text.link}</Table.Th>
          <Table.Th ta="right">{scans}</Table.Th>
          <Table.Th ta="right">{visitors}</Table.Th>
          <Table.Th w={100}>
            <VisuallyHidden>{actions}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map(line => (
          <Row
            key={`${line.placement ? 'own' : 'other'} ${line.key}`}
            code={code}
            line={line}
            preset={preset}
          />
        ))}
      </Table.Tbody>
    </WideTable>
  );
});

type RowProps = Omit<Props, 'lines'> & { readonly line: PlacementLine };

/** While somebody types a search, the rows that stay are not drawn again. */
const Row = memo(function Row({ code, line, preset }: RowProps) {
  const { service } = useMe();
  return (
    <Table.Tr>
      <Table.Td style={anywhere} {...(line.placement ? {} : { c: 'dimmed' })}>
        <div>
          {line.name}
          {line.placement?.note && (
            <Text size="xs" c="dimmed" fw={400}>
              {line.placement.note}
            </Text>
          )}
        </div>
      </Table.Td>
      <Table.Td style={anywhere}>
        <Text size="xs" ff="monospace" component="span">
          {line.placement && shownLink(line.placement.short_url, service.short_base_url)}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        {line.scans === null ? (
          '–'
        ) : line.scans === 0 ? (
          0
        ) : (
          <LinkAnchor
            size="sm"
            to="/codes/$id/analytics"
            params={{ id: code.id }}
            search={{ placement: line.key, preset }}
            aria-label={text.scansOf(line.scans, line.name)}
          >
            {formatNumber(line.scans)}
          </LinkAnchor>
        )}
      </Table.Td>
      <Table.Td ta="right">{line.visitors === null ? '–' : formatNumber(line.visitors)}</Table.Td>
      <Table.Td>{line.placement && <PlacementMenu code={code} placement={line.placement} />}</Table.Td>
    </Table.Tr>
  );
});
