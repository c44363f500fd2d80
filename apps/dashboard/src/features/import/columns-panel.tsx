import { Checkbox, MultiSelect, Select, SimpleGrid } from '@mantine/core';
import { importText } from '../../strings/import.ts';
import { Panel } from '../../ui/panel.tsx';
import { useDomains } from '../domains/queries.ts';
import { type Extra, extras, type Field, fields } from './columns.ts';
import type { Loaded } from './use-import.ts';

type More = { readonly [E in Extra]?: number | null } & { readonly metadata?: readonly number[] };

type Props = {
  readonly loaded: Loaded;
  readonly onMap: (field: Field, column: number | null) => void;
  readonly onMore: (part: More) => void;
  readonly onHeadings: (hasHeadings: boolean) => void;
};

const words = importText.columns;
const notThere = 'none';
const mostColumns = 100;

/** Which column of the sheet is which; what we recognised can be changed. */
export function ColumnsPanel({ loaded: { sheet, found, columns }, onMap, onMore, onHeadings }: Props) {
  const width = Math.max(...sheet.rows.slice(0, 100).map(cells => cells.length));
  const own = Array.from({ length: Math.min(width, mostColumns) }, (_, at) => ({
    value: String(at),
    label: (found.headings?.[at] ?? '').slice(0, 60) || words.numbered(at + 1),
  }));
  const choices = [{ value: notThere, label: words.none }, ...own];
  const hasDomains = useDomains().length > 0;
  const shownExtras = extras.filter(extra => extra !== 'domain' || hasDomains || columns.domain !== null);
  const used = new Set([...fields, ...extras].map(field => columns[field]));
  const others = own.filter(({ value }) => !used.has(Number(value)));
  const shared = (field: Field | Extra) => ({
    label: words[field],
    data: choices,
    value: columns[field] === null ? notThere : String(columns[field]),
    allowDeselect: false,
  });
  const indexIn = (value: string | null) => (value === null || value === notThere ? null : Number(value));
  return (
    <Panel title={words.title} {...(found.service ? { description: words.from(found.service) } : {})}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {fields.map(field => (
          <Select
            key={field}
            {...shared(field)}
            onChange={value => onMap(field, indexIn(value))}
            error={
              field === 'destination' && columns[field] === null ? importText.refused.noDestinations : null
            }
          />
        ))}
        {shownExtras.map(extra => (
          <Select
            key={extra}
            {...shared(extra)}
            onChange={value =>
              onMore({
                [extra]: indexIn(value),
                metadata: columns.metadata.filter(at => at !== indexIn(value)),
              })
            }
          />
        ))}
      </SimpleGrid>
      {others.length > 0 && (
        <MultiSelect
          label={words.metadata}
          description={words.metadataHint}
          placeholder={columns.metadata.length === 0 ? words.metadataPlaceholder : ''}
          data={others}
          value={columns.metadata.map(String)}
          onChange={values => onMore({ metadata: values.map(Number).sort((a, b) => a - b) })}
          maxValues={50}
          searchable
          hidePickedOptions
        />
      )}
      <Checkbox
        label={words.headings}
        checked={found.headings !== null}
        onChange={event => onHeadings(event.currentTarget.checked)}
      />
    </Panel>
  );
}
