import { Group, SegmentedControl, Select } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { formatDate } from '../../ui/format.ts';
import { dayOf, type Interval, intervalsFor, presetNames, presets } from './periods.ts';
import { type AnalyticsSearch, parseAnalyticsSearch, type View } from './search.ts';

type Props = { readonly view: View; readonly onChange: (search: AnalyticsSearch) => void };

const intervalNames: Readonly<Record<Interval, string>> = {
  hour: 'By hour',
  day: 'By day',
  week: 'By week',
  month: 'By month',
};

/** Presets, two days of one's own, and how fine the series is. */
export function PeriodPicker({ view, onChange }: Props) {
  const { period, preset, interval } = view;
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const [half, setHalf] = useState<string | null>(null);
  const shown = half ? `${formatDate(half)} – …` : `${formatDate(period.start)} – ${formatDate(period.end)}`;
  return (
    <Group gap="sm" style={{ flex: '1 1 auto', maxWidth: '100%' }}>
      <SegmentedControl
        aria-label="Period"
        value={preset ?? ''}
        onChange={value => onChange(parseAnalyticsSearch({ preset: value }))}
        data={presets.map(value => ({ value, label: presetNames[value] }))}
        size={narrow ? 'xs' : 'sm'}
        fullWidth={narrow}
        {...(narrow ? { w: '100%' } : {})}
      />
      <DatePickerInput
        type="range"
        aria-label={`${shown} (days of the period)`}
        value={half ? [half, null] : [period.start, period.end]}
        onChange={([start, end]) => {
          if (start && end) onChange(parseAnalyticsSearch({ start, end }));
          setHalf(start && !end ? start : null);
        }}
        maxDate={dayOf(new Date())}
        valueFormatter={() => shown}
        allowSingleDateInRange
        style={{ flex: '1 1 14rem', maxWidth: '16rem' }}
      />
      <Select
        aria-label="Interval"
        value={interval}
        onChange={value =>
          onChange(parseAnalyticsSearch({ ...(preset ? { preset } : period), interval: value }))
        }
        data={intervalsFor(period).map(value => ({ value, label: intervalNames[value] }))}
        allowDeselect={false}
        style={{ flex: '0 1 7.5rem' }}
      />
    </Group>
  );
}
