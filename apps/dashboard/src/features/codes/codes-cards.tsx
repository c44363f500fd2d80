import { Group, Text } from '@mantine/core';
import { codesText } from '../../strings/codes.ts';
import { formatDate } from '../../ui/format.ts';
import { SelectBox, type Selecting } from '../bulk/select-box.tsx';
import { ShortLink } from '../domains/short-link.tsx';
import { NameOf, PictureOf, RowTags, scansOf, Trend } from './code-cells.tsx';
import { CodeMenu } from './code-menu.tsx';
import classes from './codes-table.module.css';
import { useOpenCode } from './use-open-code.ts';

/** One card a code, where a table would leave the names no room. */
export function CodesCards({ codes, chosen }: Selecting) {
  const open = useOpenCode();
  return (
    <ul className={classes.cards} aria-label={codesText.list.label}>
      {codes.map(code => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the name is a link, which keys reach; the card is a larger target.
        <li key={code.id} className={classes.card} onClick={event => open(event, code.id)}>
          <Group gap="sm" wrap="nowrap" align="center">
            <SelectBox code={code} codes={codes} chosen={chosen} />
            <PictureOf code={code} />
            <NameOf code={code} />
            <CodeMenu code={code} isRow />
          </Group>
          <div className={`${classes.facts} figures`}>
            <ShortLink url={code.short_url} />
            <Text size="xs">{scansOf(code)}</Text>
            <div className={classes.trend}>
              <Trend code={code} />
            </div>
            <RowTags code={code} most={2} />
            <Text size="xs" c="dimmed" visibleFrom="xs">
              {codesText.list.createdOn(formatDate(code.created_at))}
            </Text>
          </div>
        </li>
      ))}
    </ul>
  );
}
