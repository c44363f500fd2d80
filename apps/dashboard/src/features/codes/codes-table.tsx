import { Group, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSelector } from '@tabler/icons-react';
import { codesText } from '../../strings/codes.ts';
import { formatDate, formatNumber } from '../../ui/format.ts';
import { SelectBox, type Selecting, SelectPageBox } from '../bulk/select-box.tsx';
import { ShortLink } from '../domains/short-link.tsx';
import { useMe } from '../shell/me.ts';
import { NameOf, PictureOf, RowTags, Trend } from './code-cells.tsx';
import { CodeMenu } from './code-menu.tsx';
import type { Sort } from './codes-search.ts';
import classes from './codes-table.module.css';
import { useOpenCode } from './use-open-code.ts';

type Sorting = { readonly sort: Sort; readonly onSort: (sort: Sort) => void };
type Props = Sorting & Selecting & { readonly width: number };

const { columns, sortBy, label } = codesText.list;

/** From which width on the table has a column. */
const trendFromPx = 780;
const createdFromPx = 900;
/** The tags of a code beside its name: none, one, and two where the name has enough left. */
const tagsAt = (width: number) => (width < trendFromPx ? 0 : width < 1100 ? 1 : 2);

/** One row a code, which opens it. */
export function CodesTable({ codes, chosen, width, ...sorting }: Props) {
  const [hasTrend, hasCreated] = [width >= trendFromPx, width >= createdFromPx];
  const { service } = useMe();
  // A host needs more room than an ending.
  const hasHosts =
    hasTrend && codes.some(({ short_url }) => !short_url.startsWith(`${service.short_base_url}/`));
  const open = useOpenCode();
  return (
    <Table horizontalSpacing="sm" highlightOnHover className={classes.table} aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={44} pr={0}>
            <SelectPageBox codes={codes} chosen={chosen} />
          </Table.Th>
          <SortedHeading by="name" {...sorting} />
          <Table.Th w={hasHosts ? 168 : 124} fw={500}>
            {columns.link}
          </Table.Th>
          {hasTrend && (
            <Table.Th w={176} fw={500}>
              {columns.trend}
            </Table.Th>
          )}
          <SortedHeading by="scans" width={96} {...sorting} />
          {hasCreated && <SortedHeading by="created" width={130} {...sorting} />}
          <Table.Th w={56}>
            <VisuallyHidden>{columns.actions}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {codes.map(code => (
          <Table.Tr
            key={code.id}
            className={classes.row}
            data-chosen={chosen.selection.has(code.id) || undefined}
            onClick={event => open(event, code.id)}
          >
            <Table.Td pr={0}>
              <SelectBox code={code} codes={codes} chosen={chosen} />
            </Table.Td>
            <Table.Td>
              <Group gap="sm" wrap="nowrap">
                <PictureOf code={code} />
                <NameOf code={code} />
                {tagsAt(width) > 0 && <RowTags code={code} most={tagsAt(width)} />}
              </Group>
            </Table.Td>
            <Table.Td>
              <ShortLink url={code.short_url} />
            </Table.Td>
            {hasTrend && (
              <Table.Td>
                <Trend code={code} />
              </Table.Td>
            )}
            <Table.Td ta="right">{formatNumber(code.total_scans)}</Table.Td>
            {hasCreated && (
              <Table.Td ta="right" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                {formatDate(code.created_at)}
              </Table.Td>
            )}
            <Table.Td ta="right">
              <CodeMenu code={code} isRow />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Every order has one direction, the one that the list is asked for in. */
function SortedHeading({
  by,
  width,
  sort,
  onSort,
}: Sorting & { readonly by: Sort; readonly width?: number }) {
  const isChosen = sort === by;
  const direction = by === 'name' ? 'ascending' : 'descending';
  const Icon = !isChosen ? IconSelector : direction === 'ascending' ? IconChevronUp : IconChevronDown;
  return (
    <Table.Th
      fw={500}
      aria-sort={isChosen ? direction : 'none'}
      {...(width ? { w: width, ta: 'right' } : {})}
    >
      <UnstyledButton className={classes.sort} fz="inherit" onClick={() => onSort(by)} title={sortBy[by]}>
        {columns[by]}
        <Icon size={14} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  );
}
