import { Paper, Text, VisuallyHidden } from '@mantine/core';
import { analyticsText } from '../../strings/analytics.ts';
import { formatNumber, formatShare } from '../../ui/format.ts';
import { changeOf } from './comparison.ts';
import classes from './figures.module.css';

type Figure = {
  readonly label: string;
  readonly value: number;
  /** The same of the period before; undefined where there is nothing to compare with. */
  readonly before?: number | undefined;
};
type Props = { readonly figures: readonly Figure[] };

/** The few numbers that matter, the first of them most. */
export function Figures({ figures }: Props) {
  return (
    <Paper component="dl" withBorder m={0} className={`${classes.figures} figures`}>
      {figures.map(({ label, value, before }, at) => (
        <div key={label} data-figure={label}>
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <dd className={classes.value}>
            <span className={classes.number} data-first={at === 0}>
              {formatNumber(value)}
            </span>
            {before !== undefined && (value > 0 || before > 0) && (
              <ChangeMark value={value} before={before} />
            )}
          </dd>
        </div>
      ))}
    </Paper>
  );
}

function ChangeMark({ value, before }: { readonly value: number; readonly before: number }) {
  const { change } = analyticsText;
  const { direction, share } = changeOf(value, before);
  const percent = share === null ? null : formatShare(share, 1);
  return (
    <Text span size="sm" className={classes.change} data-direction={direction}>
      <span aria-hidden="true">
        {percent === null ? change.fromNothing : `${change.shown[direction]} ${percent}`}
      </span>
      <VisuallyHidden>
        {percent === null ? change.fromNothingWords : change.words(direction, percent, formatNumber(before))}
      </VisuallyHidden>
    </Text>
  );
}
