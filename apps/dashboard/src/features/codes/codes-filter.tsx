import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { type CodesSearch, parseCodesSearch, type Sort, sorts, statuses } from './codes-search.ts';

type Props = { readonly search: CodesSearch; readonly onChange: (search: CodesSearch) => void };

const sortNames: Readonly<Record<Sort, string>> = {
  created: 'Newest first',
  scans: 'Most scans',
  name: 'By name',
};
const statusNames = { active: 'Active', paused: 'Paused', draft: 'Draft' };

/** Search, status and order. Each change begins at the first page again. */
export function CodesFilter({ search, onChange }: Props) {
  const [text, setText] = useState(search.search ?? '');
  const change = (part: object) => onChange(parseCodesSearch({ ...search, page: 1, ...part }));
  const later = useDebouncedCallback((value: string) => change({ search: value }), 250);

  return (
    <Group gap="sm" component="search">
      <TextInput
        aria-label="Search codes"
        placeholder="Name, destination or short code"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={event => {
          setText(event.currentTarget.value);
          later(event.currentTarget.value);
        }}
        style={{ flex: '1 1 14rem' }}
        type="search"
      />
      <Select
        aria-label="Status"
        data={[
          { value: 'all', label: 'All statuses' },
          ...statuses.map(value => ({ value, label: statusNames[value] })),
        ]}
        value={search.status ?? 'all'}
        onChange={value => change({ status: value })}
        allowDeselect={false}
        style={{ flex: '1 1 8rem', maxWidth: '12rem' }}
      />
      <Select
        aria-label="Order"
        data={sorts.map(value => ({ value, label: sortNames[value] }))}
        value={search.sort ?? 'created'}
        onChange={value => change({ sort: value })}
        allowDeselect={false}
        style={{ flex: '1 1 8rem', maxWidth: '12rem' }}
      />
    </Group>
  );
}
