import { Alert, Button, Group, Menu, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { QrCode } from '@signpost/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { isApiError } from '../../api/request.ts';
import { rulesText as text } from '../../strings/rules.ts';
import { formatNumber, shownUrl } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { notifyProblem } from '../../ui/problem.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { useUnsavedWork } from '../../ui/unsaved-work.ts';
import { codeQuery } from '../codes/queries.ts';
import { useUpdateCode } from '../codes/use-update-code.tsx';
import { useRefusal } from '../shell/use-refusal.ts';
import {
  addTemplate,
  bodyOf,
  colorOf,
  draftsOf,
  isSame,
  move,
  nameOf,
  type RuleDraft,
  type TemplateName,
} from './draft.ts';
import { RuleCard } from './rule-card.tsx';
import { isUnfinished, ruleFault } from './rule-faults.ts';
import classes from './rules.module.css';
import { SchedulePanel } from './schedule-panel.tsx';
import { Simulator } from './simulator.tsx';
import { viewerZone } from './week.ts';
import { WeekView } from './week-view.tsx';

const route = getRouteApi('/inside/codes/$id/rules');

/** Where a code leads: its rules and its schedule. */
export function CodeRules() {
  const { id } = route.useParams();
  const mode = useMode();
  const { data: code } = useSuspenseQuery(codeQuery(mode, id));
  return (
    <Stack gap="lg">
      <RulesEditor key={code.id} code={code} />
      <SchedulePanel
        key={JSON.stringify([code.starts_at, code.expires_at, code.max_scans, code.fallback_url])}
        code={code}
      />
    </Stack>
  );
}

function RulesEditor({ code }: { readonly code: QrCode }) {
  /** What the drafts began with: a code that was changed elsewhere meanwhile has another revision. */
  const [base, setBase] = useState(code);
  const saved = draftsOf(base.rules);
  const [drafts, setDrafts] = useState<readonly RuleDraft[]>(saved);
  const [said, setSaid] = useState('');
  const [isTried, setTried] = useState(false);
  /** Drafts that were changed since `before` are kept. */
  const begin = (from: QrCode, before: readonly RuleDraft[]) => {
    setBase(from);
    setDrafts(current => (current === before ? draftsOf(from.rules) : current));
  };
  const { save, isPending, faults } = useSaveRules(base, begin);
  const refusal = useRefusal();
  const scansOf = useRuleScans(code);
  const isDirty = !isSame(drafts, saved);
  useUnsavedWork(isDirty);
  // Changes from elsewhere are shown at once where no draft would be lost.
  if (!isDirty && code.revision > base.revision) begin(code, drafts);
  const placements = useMemo(
    () => code.placements.map(({ key, name }) => ({ value: key, label: name })),
    [code.placements],
  );
  const unfinished = drafts.some(isUnfinished);

  function moveTo(from: number, to: number): void {
    if (from === to) return;
    setDrafts(move(drafts, from, to));
    setSaid(text.moved(nameOf(drafts[from]!), to + 1, drafts.length));
  }

  return (
    <div className={classes.columns}>
      <Panel
        title={text.title}
        description={text.hint}
        aside={<AddRule onAdd={name => setDrafts(addTemplate(drafts, name, viewerZone(), new Date()))} />}
      >
        {drafts.length === 0 && <Text size="sm">{text.empty}</Text>}
        <ol className={classes.list}>
          {drafts.map((draft, place) => (
            <RuleCard
              key={draft.number}
              draft={draft}
              place={place}
              count={drafts.length}
              color={colorOf(place)}
              placements={placements}
              scans={draft.id === undefined ? undefined : scansOf(draft.id)}
              fault={faults.get(place)}
              isTried={isTried}
              onChange={changed =>
                setDrafts(drafts.map(one => (one.number === changed.number ? changed : one)))
              }
              onMove={to => moveTo(place, to)}
              onDrop={from => moveTo(from, place)}
              onRemove={() => setDrafts(drafts.filter(one => one.number !== draft.number))}
            />
          ))}
        </ol>
        <VisuallyHidden role="status">{said}</VisuallyHidden>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Text span inherit fw={600}>
            {text.otherwise}
          </Text>{' '}
          {shownUrl(code.destination_url)}
        </Text>
        {faults.get(-1) && <Alert color="red">{faults.get(-1)}</Alert>}
        {isTried && unfinished && (
          <Alert color="red" role="alert">
            {text.unfinished}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" disabled={!isDirty} onClick={() => setDrafts(saved)}>
            {text.discard}
          </Button>
          {refusal ? (
            <RefusedButton reason={refusal}>{text.save}</RefusedButton>
          ) : (
            <Button
              loading={isPending}
              disabled={!isDirty}
              onClick={() => {
                setTried(unfinished);
                if (!unfinished) save(drafts);
              }}
            >
              {text.save}
            </Button>
          )}
        </Group>
      </Panel>
      <Stack gap="lg">
        <Simulator id={code.id} drafts={drafts} placements={placements} />
        <WeekView drafts={drafts} />
      </Stack>
    </div>
  );
}

function AddRule({ onAdd }: { readonly onAdd: (name: TemplateName) => void }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<IconPlus size={16} aria-hidden />}>{text.add}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(text.templates) as TemplateName[]).map(name => (
          <Menu.Item key={name} onClick={() => onAdd(name)}>
            {text.templates[name]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Nothing is saved over what somebody else has saved meanwhile. What is refused is said beside its rule. */
function useSaveRules(code: QrCode, onSaved: (after: QrCode, drafts: readonly RuleDraft[]) => void) {
  const { change, isPending } = useUpdateCode(code);
  const [faults, setFaults] = useState<ReadonlyMap<number, string>>(new Map());
  const onRefused = (error: unknown) => {
    if (isApiError(error) && error.status === 412) setFaults(new Map([[-1, text.conflict]]));
    else if (isApiError(error) && error.param?.startsWith('rules'))
      setFaults(
        new Map([
          [
            Number(/^rules\[(\d+)\]/.exec(error.param)?.[1] ?? -1),
            ruleFault({ param: error.param, message: error.message }),
          ],
        ]),
      );
    else notifyProblem(error, text.notSaved);
  };
  const save = (drafts: readonly RuleDraft[]) => {
    setFaults(new Map());
    change({ rules: bodyOf(drafts) }, onRefused, {
      revision: code.revision,
      onDone: after => onSaved(after, drafts),
    });
  };
  return { save, isPending, faults };
}

/** Scans of the last 30 days by rule. */
function useRuleScans(code: QrCode): (ruleId: string) => string | undefined {
  const mode = useMode();
  const { data } = useQuery({
    queryKey: [mode, 'rule-scans', code.id],
    queryFn: ({ signal }) => call('getAnalytics', { params: { id: code.id }, query: {} }, signal),
    enabled: code.rules.length > 0,
    staleTime: 60_000,
  });
  return ruleId => {
    if (!data) return undefined;
    const own = data.targets.filter(target => target.rule_id === ruleId);
    return formatNumber(own.reduce((sum, { scans }) => sum + scans, 0));
  };
}
