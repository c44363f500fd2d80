import { Group, NativeSelect, SegmentedControl, Text, TextInput } from '@mantine/core';
import type { QrCode } from '@signpost/contract';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { useLiveRefresh } from '../../api/live-refresh.ts';
import { useMode } from '../../api/mode.ts';
import { placementsText as text } from '../../strings/placements.ts';
import { Pager } from '../../ui/pager.tsx';
import { dayOf } from '../analytics/periods.ts';
import { reportQuery, subjectKey } from '../analytics/queries.ts';
import { viewOf } from '../analytics/search.ts';
import { chooseLines, linesOf, type Order, orders } from './placement-figures.ts';
import classes from './placements.module.css';
import { PlacementsTable } from './placements-table.tsx';

const perPage = 25;
const presets = ['30d', 'all'] as const;

/** The places of a code with their figures, a page at a time, so that a thousand are as quick as ten. */
export function PlacementsList({ code }: { readonly code: QrCode }) {
  const subject = { mode: useMode(), id: code.id };
  const [preset, setPreset] = useState<(typeof presets)[number]>('30d');
  const [order, setOrder] = useState<Order>('added');
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const report = useQuery(
    reportQuery(subject, viewOf({ preset }, { birth: dayOf(new Date(code.created_at)) })),
  );
  useLiveRefresh(code.id, [subjectKey(subject)]);
  const figures = report.data?.placements;
  const lines = useMemo(() => linesOf(code.placements, figures), [code.placements, figures]);
  // The table may follow a moment after what is typed.
  const wanted = useDeferredValue(search);
  const found = useMemo(() => chooseLines(lines, wanted, order), [lines, wanted, order]);
  const pages = Math.max(1, Math.ceil(found.length / perPage));
  const current = Math.min(page, pages);
  const shown = useMemo(() => found.slice((current - 1) * perPage, current * perPage), [found, current]);
  return (
    <>
      <Group gap="sm" className={classes.tools!}>
        <TextInput
          aria-label={text.search}
          placeholder={text.search}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          className={classes.search!}
          onChange={event => {
            setSearch(event.currentTarget.value);
            setPage(1);
          }}
        />
        <NativeSelect
          aria-label={text.order}
          value={order}
          data={orders.map(value => ({ value, label: text.orders[value] }))}
          onChange={event => {
            setOrder(event.currentTarget.value as Order);
            setPage(1);
          }}
        />
        <SegmentedControl
          aria-label={text.period}
          value={preset}
          onChange={value => setPreset(value as typeof preset)}
          data={presets.map(value => ({ value, label: text.periods[value] }))}
        />
      </Group>
      {report.isError && (
        <Text size="sm" c="var(--mantine-color-error)" role="status">
          {text.figuresFailed}
        </Text>
      )}
      {found.length === 0 ? (
        <Text c="dimmed">{text.noMatch}</Text>
      ) : (
        <PlacementsTable code={code} lines={shown} preset={preset} />
      )}
      <Pager pages={{ page: current, total_pages: pages }} what={text.pages} onChange={setPage} />
    </>
  );
}
