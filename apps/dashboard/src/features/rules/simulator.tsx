import { Button, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { RulesTest } from '@signpost/contract';
import { devices } from '@signpost/contract/values.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/operations.ts';
import { placementsText } from '../../strings/placements.ts';
import { rulesText } from '../../strings/rules.ts';
import { Panel } from '../../ui/panel.tsx';
import { notifyProblem } from '../../ui/problem.tsx';
import type { PlacementOption } from './conditions-fields.tsx';
import { countryOptions } from './country-options.ts';
import { bodyOf, nameOf, type RuleDraft } from './draft.ts';
import { languageOptions } from './language-options.ts';
import { belowInput, mostOptions } from './list-select.tsx';
import { readableTimes } from './readable-times.ts';
import { isUnfinished } from './rule-faults.ts';
import { viewerPlace } from './viewer.ts';

const text = rulesText.simulator;

type Props = {
  readonly id: string;
  readonly drafts: readonly RuleDraft[];
  readonly placements: readonly PlacementOption[];
};

/** Tries the rules as they are on the page, saved or not, by the decision that redirects use. */
export function Simulator({ id, drafts, placements }: Props) {
  const [device, setDevice] = useState<string>('ios');
  const [country, setCountry] = useState(() => viewerPlace(navigator.language).country);
  const [language, setLanguage] = useState(() => viewerPlace(navigator.language).language);
  const [at, setAt] = useState('');
  const [placement, setPlacement] = useState<string | null>(null);
  const trial = useMutation({
    mutationFn: () =>
      call('testRules', {
        params: { id },
        body: {
          device: device as (typeof devices)[number],
          country,
          language,
          ...(at === '' ? {} : { at: new Date(at).toISOString() }),
          ...(placement ? { placement } : {}),
          rules: bodyOf(drafts),
        },
      }),
    onError: error => notifyProblem(error, text.title),
  });
  return (
    <Panel title={text.title} description={text.hint}>
      <form
        onSubmit={event => {
          event.preventDefault();
          trial.mutate();
        }}
      >
        <Stack gap="sm">
          <SimpleGrid type="container" cols={{ base: 1, '20rem': 2 }} spacing="sm">
            <Select
              label={text.device}
              data={devices.map(value => ({ value, label: rulesText.devices[value] }))}
              value={device}
              allowDeselect={false}
              onChange={value => value && setDevice(value)}
            />
            <Select
              label={text.language}
              searchable
              data={languageOptions([language])}
              value={language}
              allowDeselect={false}
              onChange={value => value && setLanguage(value)}
            />
          </SimpleGrid>
          <Select
            label={text.country}
            searchable
            data={countryOptions()}
            value={country}
            allowDeselect={false}
            onChange={value => value && setCountry(value)}
          />
          <TextInput
            type="datetime-local"
            label={text.at}
            description={text.nowHint}
            inputWrapperOrder={belowInput}
            value={at}
            onChange={event => setAt(event.currentTarget.value)}
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
              onChange={setPlacement}
            />
          )}
          <Button
            type="submit"
            variant="default"
            loading={trial.isPending}
            disabled={drafts.some(isUnfinished)}
          >
            {text.run}
          </Button>
          {trial.data && <Outcome result={trial.data} drafts={drafts} />}
        </Stack>
      </form>
    </Panel>
  );
}

type OutcomeProps = { readonly result: RulesTest; readonly drafts: readonly RuleDraft[] };

function Outcome({ result, drafts }: OutcomeProps) {
  const decides = result.rule_index === null ? undefined : drafts[result.rule_index];
  return (
    <Stack gap={4} role="status">
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {result.url === null ? text.page : `${text.leads} ${result.url}`}
      </Text>
      {drafts.length > 0 && <Text size="sm">{decides ? text.decides(nameOf(decides)) : text.noRule}</Text>}
      {result.because.map(line => (
        <Text key={line} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {readableTimes(line)}
        </Text>
      ))}
      {result.warnings.map(line => (
        <Text key={line} size="xs" c="var(--mantine-color-error)" style={{ overflowWrap: 'anywhere' }}>
          {line}
        </Text>
      ))}
    </Stack>
  );
}
