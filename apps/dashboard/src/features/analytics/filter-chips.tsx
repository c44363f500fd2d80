import { Button, Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { analyticsText } from '../../strings/analytics.ts';
import {
  type CodeNames,
  type Filters,
  filterKinds,
  filterName,
  hasFilters,
  withoutFilter,
} from './filters.ts';

type Props = {
  readonly filters: Filters;
  readonly names?: CodeNames;
  readonly onChange: (filters: Filters) => void;
};

const text = analyticsText.filters;

/** What the page is narrowed to; each can be taken away. */
export function FilterChips({ filters, names, onChange }: Props) {
  if (!hasFilters(filters)) return null;
  return (
    <Group gap="xs" role="group" aria-label={text.label}>
      {filterKinds.map(kind => {
        const value = filters[kind];
        if (value === undefined) return null;
        const name = filterName(kind, value, names);
        return (
          <Button
            key={kind}
            size="compact-sm"
            variant="light"
            rightSection={<IconX size={14} aria-hidden />}
            aria-label={text.remove(text.kinds[kind], name)}
            onClick={() => onChange(withoutFilter(filters, kind))}
          >
            {text.chip(text.kinds[kind], name)}
          </Button>
        );
      })}
      <Button size="compact-sm" variant="subtle" onClick={() => onChange({})}>
        {text.clear}
      </Button>
    </Group>
  );
}
