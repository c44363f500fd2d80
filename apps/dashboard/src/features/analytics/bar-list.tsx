import { Table, Text, UnstyledButton } from '@mantine/core';
import type { CSSProperties } from 'react';
import { analyticsText as text } from '../../strings/analytics.ts';
import { formatNumber, formatShare } from '../../ui/format.ts';
import classes from './bar-list.module.css';
import type { Bar } from './breakdowns.ts';
import type { Filters } from './filters.ts';

type Props = {
  readonly caption: string;
  readonly bars: readonly Bar[];
  readonly total: number;
  readonly onFilter: (filters: Filters) => void;
};

/** A ranking: name, number, share, and behind them a bar as long as the share of all. A click shows only these. */
export function BarList({ caption, bars, total, onFilter }: Props) {
  if (bars.length === 0) return <Text c="dimmed">{text.nothing}</Text>;
  const rest = total - bars.reduce((sum, { scans }) => sum + scans, 0);
  const all: readonly Bar[] = rest > 0 ? [...bars, { key: 'others', label: text.others, scans: rest }] : bars;
  return (
    <Table withRowBorders={false} horizontalSpacing={0} aria-label={caption} className={classes.list!}>
      <Table.Tbody>
        {all.map(({ key, label, detail, scans, filter }) => (
          <Table.Tr key={key}>
            <Table.Td className={classes.name}>
              {scans > 0 && (
                <span
                  className={classes.bar}
                  style={{ '--share': `${(scans / Math.max(1, total)) * 100}%` } as CSSProperties}
                  data-share={scans / Math.max(1, total)}
                  aria-hidden
                />
              )}
              {filter ? (
                <UnstyledButton
                  className={classes.label!}
                  title={text.filterBy(label)}
                  onClick={() => onFilter(filter)}
                >
                  <Label label={label} detail={detail} />
                </UnstyledButton>
              ) : (
                <span className={classes.label}>
                  <Label label={label} detail={detail} />
                </span>
              )}
            </Table.Td>
            <Table.Td w={64} ta="right">
              {formatNumber(scans)}
            </Table.Td>
            <Table.Td w={56} ta="right" c="dimmed">
              {formatShare(scans, total)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Label({ label, detail }: { readonly label: string; readonly detail: string | undefined }) {
  if (detail === undefined) return label;
  return (
    <>
      {label}
      <span className={classes.detail}>{detail}</span>
    </>
  );
}
