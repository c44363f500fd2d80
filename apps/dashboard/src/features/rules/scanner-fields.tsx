import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { devices } from '@signpost/contract/values.ts';
import { memo } from 'react';
import { placementsText } from '../../strings/placements.ts';
import { rulesText } from '../../strings/rules.ts';
import type { PlacementOption } from './conditions-fields.tsx';
import { countryOptions } from './country-options.ts';
import { languageOptions } from './language-options.ts';
import { belowInput, mostOptions } from './list-select.tsx';
import { viewerPlace } from './viewer.ts';

const text = rulesText.simulator;

/** Who scans, where and when; without a time it is now. */
export type Scanner = {
  readonly device: (typeof devices)[number];
  readonly country: string;
  readonly language: string;
  readonly at: string;
  readonly placement: string | null;
};

export const likeViewer = (): Scanner => ({
  device: 'ios',
  ...viewerPlace(navigator.language),
  at: '',
  placement: null,
});

type Props = {
  readonly scanner: Scanner;
  readonly onChange: (part: Partial<Scanner>) => void;
  readonly placements: readonly PlacementOption[];
};

/** Their lists have hundreds of entries: they are drawn when the scanner changes, and not with each letter in a rule. */
export const ScannerFields = memo(function ScannerFields({ scanner, onChange, placements }: Props) {
  const { device, country, language, at, placement } = scanner;
  return (
    <>
      <SimpleGrid type="container" cols={{ base: 1, '20rem': 2 }} spacing="sm">
        <Select
          label={text.device}
          data={devices.map(value => ({ value, label: rulesText.devices[value] }))}
          value={device}
          allowDeselect={false}
          onChange={value => value && onChange({ device: value as Scanner['device'] })}
        />
        <Select
          label={text.language}
          searchable
          data={languageOptions([language])}
          value={language}
          allowDeselect={false}
          onChange={value => value && onChange({ language: value })}
        />
      </SimpleGrid>
      <Select
        label={text.country}
        searchable
        data={countryOptions()}
        value={country}
        allowDeselect={false}
        onChange={value => value && onChange({ country: value })}
      />
      <TextInput
        type="datetime-local"
        label={text.at}
        description={text.nowHint}
        inputWrapperOrder={belowInput}
        value={at}
        onChange={event => onChange({ at: event.currentTarget.value })}
      />
      {placements.length > 0 && (
        <Select
          label={text.placement}
          placeholder={placementsText.without}
          clearable
          searchable
          limit={mostOptions}
          data={placements.map(option => ({ ...option }))}
          value={placement}
          onChange={value => onChange({ placement: value })}
        />
      )}
    </>
  );
});
