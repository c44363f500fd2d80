import { Text } from '@mantine/core';
import { weekdays } from '@signpost/contract/values.ts';
import { rulesText } from '../../strings/rules.ts';
import { Panel } from '../../ui/panel.tsx';
import { colorOf, nameOf, type RuleDraft } from './draft.ts';
import classes from './rules.module.css';
import { paintWeek, zoneOf } from './week.ts';

const text = rulesText.week;

/** The hours of the week, each in the colour of the rule that decides then. */
export function WeekView({ drafts }: { readonly drafts: readonly RuleDraft[] }) {
  if (!drafts.some(({ when }) => when.time)) return null;
  const week = paintWeek(drafts);
  const ruleAt = (hour: number) => (week[hour] === -1 ? rulesText.otherwise : nameOf(drafts[week[hour]!]!));
  return (
    <Panel title={text.title} description={text.hint(zoneOf(drafts))}>
      <table className={classes.week}>
        <tbody>
          {weekdays.map((day, row) => (
            <tr key={day}>
              <th scope="row">{rulesText.days[day]}</th>
              {Array.from({ length: 24 }, (_, hour) => {
                const at = row * 24 + hour;
                return (
                  <td
                    key={at}
                    style={{ backgroundColor: colorOf(week[at]!) }}
                    title={text.cell(rulesText.days[day], hour, ruleAt(at))}
                  />
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <Text size="xs" c="dimmed" component="ul" style={{ listStyle: 'none', padding: 0, margin: 0 }}>
        {[...new Set(week)].sort().map(rule => (
          <li key={rule}>
            <span aria-hidden style={{ color: colorOf(rule) }}>
              ■
            </span>{' '}
            {rule === -1 ? rulesText.otherwise : nameOf(drafts[rule]!)}
          </li>
        ))}
      </Text>
    </Panel>
  );
}
