import { Group, NativeSelect, SegmentedControl, Select } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useId, useState } from 'react';
import { analyticsText as text } from '../../strings/analytics.ts';
import { language } from '../../strings/language.ts';
import { formatDate } from '../../ui/format.ts';
import { registerCalendarLocale } from './calendar-locale.ts';
import { periodName } from './period-name.ts';
import classes from './period-picker.module.css';
import { dayOf, intervalsFor, presets } from './periods.ts';
import { type PeriodSearch, parsePeriodSearch, type View } from './search.ts';

registerCalendarLocale();

type Props = {
  readonly view: View;
  readonly onChange: (search: PeriodSearch) => void;
  /** Stands at the end of the row. */
  readonly children?: ReactNode;
};

/** The month and the year above a calendar are buttons that say themselves what they are. */
const calendarLabels = {
  previousMonth: text.calendar.previousMonth,
  nextMonth: text.calendar.nextMonth,
  previousYear: text.calendar.previousYear,
  nextYear: text.calendar.nextYear,
  previousDecade: text.calendar.previousDecade,
  nextDecade: text.calendar.nextDecade,
};

/** Presets, two days of one's own, and how fine the series is. */
export function PeriodPicker({ view, onChange, children }: Props) {
  const { period, preset, interval } = view;
  const isNarrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false });
  // The calendar is named by the field that opens it, which Mantine does only where both have the same id.
  const id = useId();
  const [half, setHalf] = useState<string | null>(null);
  const shown = half ? `${formatDate(half)} – …` : periodName(period);
  const choose = (value: string) => onChange(parsePeriodSearch({ preset: value }));
  const named = presets.map(value => ({ value, label: text.presets[value] }));
  return (
    <Group gap="xs" className={classes.picker!}>
      {isNarrow ? (
        <NativeSelect
          aria-label={text.period}
          value={preset ?? ''}
          onChange={event => choose(event.currentTarget.value)}
          data={preset ? named : [{ value: '', label: text.customPeriod }, ...named]}
          className={classes.preset}
        />
      ) : (
        <SegmentedControl
          aria-label={text.period}
          value={preset ?? ''}
          onChange={choose}
          data={named}
          size="sm"
        />
      )}
      <DatePickerInput
        type="range"
        locale={language}
        id={id}
        popoverProps={{ id }}
        aria-label={text.days(shown)}
        value={half ? [half, null] : [period.start, period.end]}
        onChange={([start, end]) => {
          if (start && end) onChange(parsePeriodSearch({ start, end }));
          setHalf(start && !end ? start : null);
        }}
        maxDate={dayOf(new Date())}
        valueFormatter={() => shown}
        allowSingleDateInRange
        hideOutsideDates
        ariaLabels={calendarLabels}
        classNames={{ day: classes.day!, weekday: classes.weekday! }}
        className={classes.days!}
      />
      <Select
        aria-label={text.interval}
        value={interval}
        onChange={value =>
          onChange(parsePeriodSearch({ ...(preset ? { preset } : period), interval: value }))
        }
        data={intervalsFor(period).map(value => ({ value, label: text.intervals[value] }))}
        allowDeselect={false}
        className={classes.interval!}
      />
      {children && <div className={classes.end}>{children}</div>}
    </Group>
  );
}
