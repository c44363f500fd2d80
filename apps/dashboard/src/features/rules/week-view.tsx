import { Text } from '@mantine/core';
import { weekdays } from '@signpost/contract/values.ts';
import { memo } from 'react';
import { rulesText } from '../../strings/rules.ts';
import { Panel } from '../../ui/panel.tsx';
import { colorOf, nameOf, type RuleDraft } from './draft.ts';
import classes from './rules.module.css';
import { type Hour, paintWeek, zoneOf } from './week.ts';

const text = rulesText.week;

/** The hours of the week, each in the colour of the rule that decides then. */
export const WeekView = memo(function WeekView({ drafts }: { readonly drafts: readonly RuleDraft[] }) {
  if (!drafts.some(({ when }) => when.time)) return null;
  const week = paintWeek(drafts);
  const name = (place: number) => (place === -1 ? rulesText.otherwise : nameOf(drafts[place]!));
  const words = ({ all, some }: Hour) => [...(some === -1 ? [] : [text.some(name(some))]), name(all)];
  const kinds = new Map<string, Hour>(
    week.flatMap(({ all, some }) => [
      ...(some === -1 ? [] : [[`some ${some}`, { all: -1, some }] as const]),
      [`all ${all}`, { all, some: -1 }] as const,
    ]),
  );
  return (
    <Panel title={text.title} description={text.hint(zoneOf(drafts))}>
      <table className={classes.week}>
        <tbody>
          {weekdays.map((day, row) => (
            <tr key={day}>
              <th scope="row">{rulesText.days[day]}</th>
              {week.slice(row * 24, row * 24 + 24).map((cell, hour) => (
                <Cell
                  // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place in the day
                  key={hour}
                  background={backgroundOf(cell)}
                  title={text.cell(rulesText.days[day], hour, words(cell).join('; '))}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Text size="xs" c="dimmed" component="ul" className={classes.legend!}>
        {[...kinds].sort().map(([key, kind]) => (
          <li key={key}>
            <span aria-hidden style={{ background: backgroundOf(kind) }} />
            {words(kind)[0]}
          </li>
        ))}
      </Text>
      {drafts.some(({ active, when }) => active && !when.time && Object.keys(when).length > 0) && (
        <Text size="xs" c="dimmed">
          {text.left}
        </Text>
      )}
    </Panel>
  );
});

type CellProps = { readonly background: string; readonly title: string };

/** One of 168, of which a letter in the name of a rule changes few. */
const Cell = memo(function Cell({ background, title }: CellProps) {
  return <td style={{ background }} title={title} />;
});

const backgroundOf = ({ all, some }: Hour): string =>
  some === -1
    ? colorOf(all)
    : `repeating-linear-gradient(135deg, ${colorOf(some)} 0 4px, ${colorOf(all)} 4px 8px)`;
