import { Button, Group, MultiSelect, Popover, Select, Stack, TextInput } from '@mantine/core';
import { maxTagsOfCode } from '@signpost/contract/values.ts';
import { IconFilter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { domainsText } from '../../strings/domains.ts';
import { organiseText } from '../../strings/organise.ts';
import { useDomains } from '../domains/queries.ts';
import { tagsQuery } from '../tags/queries.ts';
import { TagDot, useTagColors } from '../tags/tag-chip.tsx';
import type { CodesSearch } from './codes-search.ts';

type Props = {
  readonly search: CodesSearch;
  readonly label: string;
  readonly onChange: (part: object) => void;
};

const text = organiseText.filter;
const mostShown = 100;

/** Tags, host of the destination, domain and days of creation, which take effect together. */
export function MoreFilters({ search, label, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={320}
      trapFocus
      returnFocus
      withinPortal
      shadow="md"
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconFilter size={16} aria-hidden />}
          onClick={() => setOpen(open => !open)}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={text.title}>
        {isOpen && (
          <Fields
            search={search}
            onApply={part => {
              setOpen(false);
              onChange(part);
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

type FieldsProps = { readonly search: CodesSearch; readonly onApply: (part: object) => void };

/** The fields start with what the list shows now. */
function Fields({ search, onApply }: FieldsProps) {
  const [tag, setTag] = useState(search.tag ?? []);
  const [host, setHost] = useState(search.destination_host ?? '');
  const [domain, setDomain] = useState(search.domain ?? '');
  const [from, setFrom] = useState(search.created_from ?? '');
  const [to, setTo] = useState(search.created_to ?? '');
  const { data = [] } = useQuery(tagsQuery(useMode()));
  const domains = useDomains();
  const colorOf = useTagColors();
  const names = [...new Set([...tag, ...data.map(({ name }) => name)])];
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        onApply({ tag, destination_host: hostIn(host), domain, created_from: from, created_to: to });
      }}
    >
      <Stack gap="sm">
        <MultiSelect
          label={text.tags}
          description={text.tagsHint}
          placeholder={tag.length === 0 ? text.tagsPlaceholder : ''}
          data={names}
          value={[...tag]}
          onChange={setTag}
          searchable
          openOnFocus={false}
          limit={mostShown}
          maxValues={maxTagsOfCode}
          hidePickedOptions
          nothingFoundMessage={names.length === 0 ? text.noTags : text.noTagFound}
          comboboxProps={{ withinPortal: false }}
          renderOption={({ option }) => (
            <span style={{ display: 'inline-flex', gap: 8, alignItems: 'center' }}>
              <TagDot color={colorOf(option.value)} />
              {option.value}
            </span>
          )}
        />
        <TextInput
          label={text.host}
          placeholder={text.hostPlaceholder}
          value={host}
          onChange={event => setHost(event.currentTarget.value)}
          autoCapitalize="off"
          spellCheck={false}
          maxLength={253}
        />
        {domains.length > 0 && (
          <Select
            label={domainsText.filter}
            data={[{ value: '', label: domainsText.filterAll }, ...domains.map(({ host: name }) => name)]}
            value={domain}
            onChange={value => setDomain(value ?? '')}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
          />
        )}
        <Group gap="sm" grow>
          <TextInput
            type="date"
            label={text.from}
            value={from}
            {...(to ? { max: to } : {})}
            onChange={event => setFrom(event.currentTarget.value)}
          />
          <TextInput
            type="date"
            label={text.to}
            value={to}
            {...(from ? { min: from } : {})}
            onChange={event => setTo(event.currentTarget.value)}
          />
        </Group>
        <Button type="submit">{text.apply}</Button>
      </Stack>
    </form>
  );
}

/** Of an address that was pasted, its host. */
const hostIn = (text: string): string =>
  text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/, '')
    .toLowerCase();
