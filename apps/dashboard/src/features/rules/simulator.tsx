import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { RulesTest } from '@signpost/contract';
import { devices } from '@signpost/contract/values.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/operations.ts';
import { rulesText } from '../../strings/rules.ts';
import { Panel } from '../../ui/panel.tsx';
import { notifyProblem } from '../../ui/problem.tsx';
import { countryOptions } from './country-options.ts';
import { bodyOf, isUnfinished, type RuleDraft } from './draft.ts';

const text = rulesText.simulator;

type Props = {
  readonly id: string;
  readonly drafts: readonly RuleDraft[];
  readonly placements: readonly string[];
};

/** Tries the rules as they are on the page, saved or not, by the decision that redirects use. */
export function Simulator({ id, drafts, placements }: Props) {
  const [device, setDevice] = useState<string>('ios');
  const [country, setCountry] = useState<string>('DE');
  const [language, setLanguage] = useState('de');
  const [at, setAt] = useState('');
  const [placement, setPlacement] = useState<string | null>(null);
  const trial = useMutation({
    mutationFn: () =>
      call('testRules', {
        params: { id },
        body: {
          device: device as (typeof devices)[number],
          country,
          ...(language.trim() === '' ? {} : { language: language.trim() }),
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
          <Group grow>
            <Select
              label={text.device}
              data={devices.map(value => ({ value, label: rulesText.devices[value] }))}
              value={device}
              allowDeselect={false}
              onChange={value => value && setDevice(value)}
            />
            <TextInput
              label={text.language}
              value={language}
              onChange={event => setLanguage(event.currentTarget.value)}
            />
          </Group>
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
            description={at === '' ? text.now : undefined}
            value={at}
            onChange={event => setAt(event.currentTarget.value)}
          />
          {placements.length > 0 && (
            <Select
              label={text.placement}
              clearable
              data={[...placements]}
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
          {trial.data && <Outcome result={trial.data} />}
        </Stack>
      </form>
    </Panel>
  );
}

function Outcome({ result }: { readonly result: RulesTest }) {
  return (
    <Stack gap={4} role="status">
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {result.url === null ? text.page : `${text.leads} ${result.url}`}
      </Text>
      {result.because.map(line => (
        <Text key={line} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {line}
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
