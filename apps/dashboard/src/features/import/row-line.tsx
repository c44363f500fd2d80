import { ActionIcon, Button, Text, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { memo } from 'react';
import { importText } from '../../strings/import.ts';
import { type Field, fields } from './columns.ts';
import { type More, withScheme } from './import-row.ts';
import classes from './rows-panel.module.css';
import type { CheckedRow } from './use-import.ts';

type Props = CheckedRow & {
  readonly locked: boolean;
  readonly onEdit: (number: number, field: Field, value: string) => void;
  readonly onRemove: (number: number) => void;
};

const words = importText.rows;

/** A row whose cells are fields; what is wrong stands below the cell that it is about. */
export const RowLine = memo(function RowLine({ row, faults, locked, onEdit, onRemove }: Props) {
  return (
    <tr className={classes.row}>
      <th scope="row" className={classes.number}>
        <span className={classes.word}>{words.number} </span>
        {row.number}
      </th>
      {fields.map(field => (
        <td key={field} className={classes[field]} data-label={words[field]}>
          <TextInput
            aria-label={words.cell(words[field], row.number)}
            value={row[field]}
            onChange={event => onEdit(row.number, field, event.currentTarget.value)}
            onBlur={event => {
              const whole = withScheme(event.currentTarget.value.trim());
              if (field === 'destination' && whole !== row.destination) onEdit(row.number, field, whole);
            }}
            error={faults[field]}
            disabled={locked}
            classNames={{ input: classes.input! }}
            spellCheck={false}
            autoComplete="off"
            {...(field === 'ending' ? { placeholder: words.generated } : {})}
          />
          {field === 'ending' && faults.ending && row.reclaimable === row.ending && (
            <Button
              size="compact-xs"
              variant="default"
              mt={4}
              disabled={locked}
              // The same ending, without what the server said about it.
              onClick={() => onEdit(row.number, 'ending', row.ending)}
              aria-label={words.reclaimCell(row.number)}
            >
              {words.reclaim}
            </Button>
          )}
          {field === 'name' && row.more && (
            <Text size="xs" c="dimmed" mt={2} px={4} lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
              {moreWords(row.more)}
            </Text>
          )}
          {field === 'name' && faults.row && (
            <Text size="xs" c="var(--mantine-color-error)" mt={4}>
              {faults.row}
            </Text>
          )}
        </td>
      ))}
      <td className={classes.action}>
        <ActionIcon
          variant="subtle"
          color="gray"
          disabled={locked}
          onClick={() => onRemove(row.number)}
          aria-label={words.removeRow(row.number)}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </td>
    </tr>
  );
});

/** What the row has besides its cells, in one line. */
const moreWords = ({ tags = [], externalId, note, domain, metadata = {} }: More): string =>
  [
    ...(domain ? [domain] : []),
    ...tags,
    ...(externalId ? [words.externalId(externalId)] : []),
    ...(note ? [words.note] : []),
    ...Object.entries(metadata).map(([key, value]) => `${key}: ${value}`),
  ].join(' · ');
