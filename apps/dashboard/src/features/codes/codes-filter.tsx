import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { statuses } from '@signpost/contract/values.ts';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { codesText } from '../../strings/codes.ts';
import { type CodesSearch, countFilters, parseCodesSearch } from './codes-search.ts';
import { MoreFilters } from './more-filters.tsx';

type Props = {
  readonly search: CodesSearch;
  readonly onChange: (search: CodesSearch) => void;
  /** Where the list has no headings to sort by. */
  readonly withOrder: boolean;
};

const text = codesText.list;

/** Search, status and what else narrows the list. Each change begins at the first page again. */
export function CodesFilter({ search, onChange, withOrder }: Props) {
  const asked = search.search ?? '';
  const [typed, setTyped] = useState(asked);
  const [sent, setSent] = useState(asked);
  const change = (part: object) => onChange(parseCodesSearch({ ...search, page: 1, ...part }));
  const later = useDebouncedCallback((value: string) => {
    setSent(value);
    change({ search: value });
  }, 250);
  // Not from this box, but by Back or by a link: the box follows the list.
  if (asked !== sent) {
    setSent(asked);
    setTyped(asked);
    later.cancel();
  }
  const count = countFilters(search);
  const label = count > 0 ? text.filterWith(count) : text.filter;

  return (
    <Group gap="sm" component="search">
      <TextInput
        aria-label={text.search}
        placeholder={text.searchHint}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={event => {
          setTyped(event.currentTarget.value);
          later(event.currentTarget.value);
        }}
        style={{ flex: '1 1 9rem' }}
        type="search"
        maxLength={100}
      />
      <MoreFilters search={search} label={label} onChange={change} />
      <Group gap="sm" wrap="nowrap" style={{ flex: withOrder ? '1 1 18rem' : '0 1 11rem' }}>
        <Select
          aria-label={text.status}
          data={[
            { value: 'all', label: text.allStatuses },
            ...statuses.map(value => ({ value, label: text.statuses[value] })),
            { value: 'archived', label: text.archived },
          ]}
          value={search.archived ? 'archived' : (search.status ?? 'all')}
          onChange={value => change({ status: value, archived: value === 'archived' })}
          allowDeselect={false}
          style={{ flex: '1 1 0', maxWidth: '12rem' }}
        />
        {withOrder && (
          <Select
            aria-label={text.order}
            data={Object.entries(text.orders).map(([value, label]) => ({ value, label }))}
            value={search.sort ?? 'created'}
            onChange={value => change({ sort: value })}
            allowDeselect={false}
            style={{ flex: '1 1 0', maxWidth: '12rem' }}
          />
        )}
      </Group>
    </Group>
  );
}
