import { Paper, Text } from '@mantine/core';
import { formatNumber } from '../../ui/format.ts';
import { ChangeMark } from './change-mark.tsx';
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
