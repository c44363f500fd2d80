import { Checkbox, Select, SimpleGrid } from '@mantine/core';
import { importText } from '../../strings/import.ts';
import { Panel } from '../../ui/panel.tsx';
import { type Field, fields } from './columns.ts';
import type { Loaded } from './use-import.ts';

type Props = {
  readonly loaded: Loaded;
  readonly onMap: (field: Field, column: number | null) => void;
  readonly onHeadings: (hasHeadings: boolean) => void;
};

const words = importText.columns;
const notThere = 'none';

/** Which column of the sheet is which; what we recognised can be changed. */
export function ColumnsPanel({ loaded: { sheet, found, columns }, onMap, onHeadings }: Props) {
  const width = Math.max(...sheet.rows.slice(0, 100).map(cells => cells.length));
  const choices = [
    { value: notThere, label: words.none },
    ...Array.from({ length: Math.min(width, 100) }, (_, at) => ({
      value: String(at),
      label: (found.headings?.[at] ?? '').slice(0, 60) || words.numbered(at + 1),
    })),
  ];
  return (
    <Panel title={words.title} {...(found.service ? { description: words.from(found.service) } : {})}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {fields.map(field => (
          <Select
            key={field}
            label={words[field]}
            data={choices}
            value={columns[field] === null ? notThere : String(columns[field])}
            onChange={value => onMap(field, value === null || value === notThere ? null : Number(value))}
            allowDeselect={false}
            error={
              field === 'destination' && columns[field] === null ? importText.refused.noDestinations : null
            }
          />
        ))}
      </SimpleGrid>
      <Checkbox
        label={words.headings}
        checked={found.headings !== null}
        onChange={event => onHeadings(event.currentTarget.checked)}
      />
    </Panel>
  );
}
