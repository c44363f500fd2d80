import { Button, Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { codesText } from '../../strings/codes.ts';
import { domainsText } from '../../strings/domains.ts';
import { organiseText } from '../../strings/organise.ts';
import { formatDate } from '../../ui/format.ts';
import { TagDot, useTagColors } from '../tags/tag-chip.tsx';
import { CurrentView } from '../views/current-view.tsx';
import { type CodesSearch, isFiltered, parseCodesSearch } from './codes-search.ts';

type Props = { readonly search: CodesSearch; readonly onChange: (search: CodesSearch) => void };

const text = organiseText.filter;

/** What narrows the list, each to be taken away, and the view that it makes. */
export function ActiveFilters({ search, onChange }: Props) {
  const colorOf = useTagColors();
  if (!isFiltered(search)) return null;
  const {
    tag = [],
    status,
    archived,
    destination_host: host,
    domain,
    created_from: from,
    created_to: to,
  } = search;
  const set = (part: object) => onChange(parseCodesSearch({ ...search, page: 1, ...part }));
  const chips = [
    ...tag.map(name => ({
      label: name,
      color: colorOf(name),
      remove: () => set({ tag: tag.filter(one => one !== name) }),
    })),
    ...(search.search
      ? [{ label: text.chips.search(search.search), remove: () => set({ search: undefined }) }]
      : []),
    ...(status
      ? [
          {
            label: text.chips.status(codesText.list.statuses[status]),
            remove: () => set({ status: undefined }),
          },
        ]
      : []),
    ...(archived ? [{ label: codesText.list.archived, remove: () => set({ archived: undefined }) }] : []),
    ...(host ? [{ label: text.chips.host(host), remove: () => set({ destination_host: undefined }) }] : []),
    ...(domain ? [{ label: domainsText.filterChip(domain), remove: () => set({ domain: undefined }) }] : []),
    ...(from
      ? [{ label: text.chips.from(dayName(from)), remove: () => set({ created_from: undefined }) }]
      : []),
    ...(to ? [{ label: text.chips.to(dayName(to)), remove: () => set({ created_to: undefined }) }] : []),
  ];
  return (
    <Group gap="xs" role="group" aria-label={text.active}>
      {chips.map(chip => (
        <Button
          key={chip.label}
          size="compact-sm"
          variant="default"
          fw={400}
          maw="100%"
          {...('color' in chip ? { leftSection: <TagDot color={chip.color} /> } : {})}
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={text.remove(chip.label)}
          onClick={chip.remove}
        >
          {chip.label}
        </Button>
      ))}
      <Button size="compact-sm" variant="subtle" onClick={() => onChange({})}>
        {text.clear}
      </Button>
      <CurrentView search={search} />
    </Group>
  );
}

/** Days are in UTC, as the server counts them. */
const dayName = (day: string): string => formatDate(`${day}T12:00:00`);
