import { Button, Stack, Text } from '@mantine/core';
import type { RulesTest } from '@signpost/contract';
import { useMutation } from '@tanstack/react-query';
import { memo, useCallback, useState } from 'react';
import { call } from '../../api/operations.ts';
import { rulesText } from '../../strings/rules.ts';
import { Panel } from '../../ui/panel.tsx';
import { notifyProblem } from '../../ui/problem.tsx';
import type { PlacementOption } from './conditions-fields.tsx';
import { bodyOf, nameOf, type RuleDraft } from './draft.ts';
import { isUnfinished } from './rule-faults.ts';
import { namedWarning, reasonInWords } from './rule-words.ts';
import { likeViewer, type Scanner, ScannerFields } from './scanner-fields.tsx';

const text = rulesText.simulator;

type Props = {
  readonly id: string;
  readonly drafts: readonly RuleDraft[];
  readonly placements: readonly PlacementOption[];
};

/** Tries the rules as they are on the page, saved or not, by the decision that redirects use. */
export const Simulator = memo(function Simulator({ id, drafts, placements }: Props) {
  const [scanner, setScanner] = useState(likeViewer);
  const change = useCallback((part: Partial<Scanner>) => setScanner(now => ({ ...now, ...part })), []);
  const trial = useMutation({
    mutationFn: ({ at, placement, ...who }: Scanner) =>
      call('testRules', {
        params: { id },
        body: {
          ...who,
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
          trial.mutate(scanner);
        }}
      >
        <Stack gap="sm">
          <ScannerFields scanner={scanner} onChange={change} placements={placements} />
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
});

type OutcomeProps = { readonly result: RulesTest; readonly drafts: readonly RuleDraft[] };

function Outcome({ result, drafts }: OutcomeProps) {
  const decides = result.rule_index === null ? undefined : drafts[result.rule_index];
  return (
    <Stack gap={4} role="status">
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {result.url === null ? text.page : text.leads(result.url)}
      </Text>
      {drafts.length > 0 && <Text size="sm">{decides ? text.decides(nameOf(decides)) : text.noRule}</Text>}
      {result.because.map((line, at) => (
        <Text key={line} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {reasonInWords(result.reasons[at]!, line)}
        </Text>
      ))}
      {result.warnings.map((line, at) => (
        <Text key={line} size="xs" c="var(--mantine-color-error)" style={{ overflowWrap: 'anywhere' }}>
          {namedWarning(result.warning_details[at]!, line)}
        </Text>
      ))}
    </Stack>
  );
}
