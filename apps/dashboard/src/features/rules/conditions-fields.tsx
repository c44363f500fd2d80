import {
  ActionIcon,
  Button,
  Chip,
  Group,
  Menu,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { devices, weekdays } from '@signpost/contract/values.ts';
import { IconPlus, IconX } from '@tabler/icons-react';
import { rulesText as text } from '../../strings/rules.ts';
import { countryOptions } from './country-options.ts';
import { type ConditionName, type Conditions, editable, newCondition, type TimeWindow } from './draft.ts';
import { languageOptions } from './language-options.ts';
import { belowInput, ListSelect, mostOptions } from './list-select.tsx';
import { isEmptyList } from './rule-faults.ts';
import classes from './rules.module.css';
import { viewerZone } from './week.ts';

type Props = {
  readonly when: Conditions;
  readonly onChange: (when: Conditions) => void;
  readonly placements: readonly PlacementOption[];
  /** Somebody wanted to save: what is missing is said. */
  readonly isTried: boolean;
};

export type PlacementOption = { readonly value: string; readonly label: string };

/** Browsers leave UTC out. */
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')];

/** The conditions of a rule, one a row. Those that only the API can set are shown, and kept. */
export function ConditionsFields({ when, onChange, placements, isTried }: Props) {
  const names = Object.keys(when) as ConditionName[];
  const missing = editable.filter(name => !(name in when) && (name !== 'placement' || placements.length > 0));
  const set = (part: Conditions) => onChange({ ...when, ...part });
  const remove = (name: ConditionName) => {
    const { [name]: _, ...rest } = when;
    onChange(rest);
  };
  return (
    <Stack gap="xs">
      {names.length === 0 && <Text size="sm">{text.always}</Text>}
      {names.map(name => (
        <Group key={name} gap="xs" align="flex-start" wrap="nowrap">
          <div style={{ flex: 1, minWidth: 0 }}>
            <ConditionField
              name={name}
              when={when}
              set={set}
              placements={placements}
              error={isTried && isEmptyList(when[name]) ? text.faults.list : undefined}
            />
          </div>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            mt={24}
            aria-label={text.removeCondition(text.conditions[name])}
            onClick={() => remove(name)}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {missing.length > 0 && (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconPlus size={14} aria-hidden />}
              style={{ alignSelf: 'flex-start' }}
            >
              {text.addCondition}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {missing.map(name => (
              <Menu.Item key={name} onClick={() => set(newCondition(name, viewerZone(), new Date()))}>
                {text.conditions[name]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Stack>
  );
}

type FieldProps = {
  readonly name: ConditionName;
  readonly when: Conditions;
  readonly set: (part: Conditions) => void;
  readonly placements: readonly PlacementOption[];
  readonly error: string | undefined;
};

function ConditionField({ name, when, set, placements, error }: FieldProps) {
  const label = text.conditions[name];
  const list = { label, error };
  switch (name) {
    case 'device':
      return (
        <ListSelect
          {...list}
          placeholder={text.choose.device}
          data={devices.map(value => ({ value, label: text.devices[value] }))}
          value={when.device ?? []}
          onChange={device => set({ device: device as NonNullable<Conditions['device']> })}
        />
      );
    case 'country':
      return (
        <ListSelect
          {...list}
          placeholder={text.choose.country}
          data={countryOptions()}
          value={when.country ?? []}
          onChange={country => set({ country })}
        />
      );
    case 'language':
      return (
        <ListSelect
          {...list}
          description={text.languageHint}
          placeholder={text.choose.language}
          data={languageOptions(when.language ?? [])}
          value={when.language ?? []}
          onChange={language => set({ language })}
        />
      );
    case 'query':
      return (
        <TagsInput
          label={label}
          error={error}
          inputWrapperOrder={belowInput}
          description={text.queryHint}
          value={(when.query ?? []).map(pair =>
            pair.value === undefined ? pair.name : `${pair.name}=${pair.value}`,
          )}
          onChange={pairs => set({ query: pairs.map(pairOf) })}
        />
      );
    case 'placement':
      return (
        <ListSelect
          {...list}
          limit={mostOptions}
          placeholder={text.choose.placement}
          data={placements}
          value={when.placement ?? []}
          onChange={placement => set({ placement })}
        />
      );
    case 'time':
      return <TimeFields time={when.time!} onChange={time => set({ time })} />;
    case 'date':
      return <DateFields date={when.date!} onChange={date => set({ date })} />;
    default:
      return <FixedCondition label={label} value={when[name]} />;
  }
}

function pairOf(textOfPair: string) {
  const at = textOfPair.indexOf('=');
  return at < 0 ? { name: textOfPair } : { name: textOfPair.slice(0, at), value: textOfPair.slice(at + 1) };
}

export function FixedCondition({ label, value }: { readonly label: string; readonly value: unknown }) {
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {label}: {JSON.stringify(value)}{' '}
      <Text span inherit c="dimmed">
        ({text.fixed})
      </Text>
    </Text>
  );
}

type Time = NonNullable<Conditions['time']>;

function TimeFields({ time, onChange }: { readonly time: Time; readonly onChange: (time: Time) => void }) {
  const set = (at: number, part: Partial<TimeWindow>) =>
    onChange({
      ...time,
      windows: time.windows.map((window, n) => (n === at ? { ...window, ...part } : window)),
    });
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {text.conditions.time}
      </Text>
      {time.windows.map((window, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: windows have no names, and their fields hold no state of their own
        <Stack key={at} gap="xs">
          <Chip.Group
            multiple
            value={[...window.days]}
            onChange={days => days.length > 0 && set(at, { days: days as TimeWindow['days'] })}
          >
            <Group gap={4}>
              {weekdays.map(day => (
                <Chip key={day} value={day} size="xs" radius="sm">
                  {text.days[day]}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
          <Group gap="xs" align="flex-end" wrap="nowrap" className={classes.times!}>
            <TextInput
              type="time"
              label={text.from}
              value={window.from}
              onChange={event => set(at, { from: event.currentTarget.value })}
            />
            <TextInput
              type="time"
              label={text.to}
              value={window.to === '24:00' ? '00:00' : window.to}
              onChange={event =>
                set(at, { to: event.currentTarget.value === '00:00' ? '24:00' : event.currentTarget.value })
              }
            />
            {time.windows.length > 1 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={text.removeWindow}
                onClick={() => onChange({ ...time, windows: time.windows.filter((_, n) => n !== at) })}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        </Stack>
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        style={{ alignSelf: 'flex-start' }}
        onClick={() =>
          onChange({ ...time, windows: [...time.windows, { ...time.windows[0]!, days: ['sat', 'sun'] }] })
        }
      >
        {text.addWindow}
      </Button>
      <Select
        label={text.timezone}
        searchable
        data={zones.includes(time.timezone) ? zones : [time.timezone, ...zones]}
        value={time.timezone}
        allowDeselect={false}
        onChange={timezone => timezone && onChange({ ...time, timezone })}
      />
    </Stack>
  );
}

type Period = NonNullable<Conditions['date']>;

function DateFields({
  date,
  onChange,
}: {
  readonly date: Period;
  readonly onChange: (date: Period) => void;
}) {
  const set = (edge: 'from' | 'until', value: string) => {
    const { [edge]: _, ...rest } = date;
    const next = value === '' ? rest : { ...rest, [edge]: new Date(value).toISOString() };
    if (Object.keys(next).length > 0) onChange(next);
  };
  return (
    <SimpleGrid type="container" cols={{ base: 1, '26rem': 2 }} spacing="xs">
      {(['from', 'until'] as const).map(edge => (
        <TextInput
          key={edge}
          type="datetime-local"
          label={text.dateEdges[edge]}
          value={localValue(date[edge])}
          onChange={event => set(edge, event.currentTarget.value)}
        />
      ))}
    </SimpleGrid>
  );
}

/** As a field for local times holds it. */
export function localValue(moment: string | null | undefined): string {
  if (!moment) return '';
  const at = new Date(moment);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
