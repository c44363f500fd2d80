import { Alert, Button, Group, Menu, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { QrCode } from '@signpost/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { isApiError } from '../../api/request.ts';
import { rulesText as text } from '../../strings/rules.ts';
import { shownUrl } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { notifyProblem } from '../../ui/problem.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { useUnsavedWork } from '../../ui/unsaved-work.ts';
import { Conflict } from '../codes/conflict.ts';
import { ConflictAlert } from '../codes/conflict-alert.tsx';
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
  type RuleDraft,
  type TemplateName,
} from './draft.ts';
import { type RuleActions, RuleCard } from './rule-card.tsx';
import { isUnfinished, ruleFault } from './rule-faults.ts';
import { ruleWarnings } from './rule-words.ts';
import classes from './rules.module.css';
import { summarise } from './rules-changes.ts';
import { SchedulePanel } from './schedule-panel.tsx';
import { Simulator } from './simulator.tsx';
import { viewerZone } from './week.ts';
import { WeekView } from './week-view.tsx';

const route = getRouteApi('/inside/codes/$id/rules');

/** Rules whose forms are all open. */
const mostOpen = 10;

/** Where a code leads: its rules and its schedule. */
export function CodeRules() {
  const { id } = route.useParams();
  const mode = useMode();
  const { data: code } = useSuspenseQuery(codeQuery(mode, id));
  return (
    <Stack gap="lg">
      <RulesEditor key={code.id} code={code} />
      <SchedulePanel key={`schedule ${code.id}`} code={code} />
    </Stack>
  );
}

function RulesEditor({ code }: { readonly code: QrCode }) {
  /** What the drafts began with: a code that was changed elsewhere meanwhile has another revision. */
  const [base, setBase] = useState(code);
  const saved = useMemo(() => draftsOf(base.rules), [base]);
  const [drafts, setDrafts] = useState<readonly RuleDraft[]>(saved);
  const [said, setSaid] = useState('');
  const [isTried, setTried] = useState(false);
  /** Drafts that were changed since `before` are kept. */
  const begin = (from: QrCode, before: readonly RuleDraft[]) => {
    setBase(from);
    setConflict(null);
    setDrafts(current => (current === before ? draftsOf(from.rules) : current));
  };
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const { save, isPending, faults } = useSaveRules(base, begin, setConflict);
  const refusal = useRefusal('qrcodes:write');
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

  // The cards of the other rules are not drawn again with each letter, and what is beside them comes a moment later.
  const shown = useDeferredValue(drafts);
  const actions = useMemo(
    (): RuleActions => ({
      onChange: changed => setDrafts(all => all.map(one => (one.number === changed.number ? changed : one))),
      onMove(from, to, saying) {
        if (from === to) return;
        setDrafts(all => move(all, from, to));
        setSaid(saying);
      },
      onRemove: number => setDrafts(all => all.filter(one => one.number !== number)),
    }),
    [],
  );

  const add = useCallback(
    (name: TemplateName) => setDrafts(all => addTemplate(all, name, viewerZone(), new Date())),
    [],
  );

  return (
    <div className={classes.columns}>
      <Panel title={text.title} description={text.hint} aside={<AddRule onAdd={add} />}>
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
              warnings={
                isDirty ? '' : ruleWarnings(base.warning_details ?? [], base.warnings ?? [], place).join('\n')
              }
              isTried={isTried}
              startsFolded={saved.length > mostOpen && draft.id !== undefined}
              {...actions}
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
        {conflict && (
          <ConflictAlert
            clashes={[
              {
                label: text.tab,
                mine: summarise(base.rules, bodyOf(drafts)),
                theirs: summarise(base.rules, conflict.latest.rules),
              },
            ]}
            isPending={isPending}
            onKeep={() => save(drafts, conflict.latest)}
            onTake={() => begin(conflict.latest, drafts)}
          />
        )}
        {faults.get(-1) && <Alert color="red">{faults.get(-1)}</Alert>}
        {isTried && unfinished && (
          <Alert color="red" role="alert">
            {text.unfinished}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button
            variant="default"
            disabled={!isDirty}
            onClick={() => {
              setDrafts(saved);
              setConflict(null);
            }}
          >
            {text.discard}
          </Button>
          {refusal ? (
            <RefusedButton reason={refusal}>{text.save}</RefusedButton>
          ) : (
            <Button
              loading={isPending}
              disabled={!isDirty || conflict !== null}
              onClick={() => {
                setTried(unfinished);
                if (!unfinished) save(drafts, base);
              }}
            >
              {text.save}
            </Button>
          )}
        </Group>
      </Panel>
      <Stack gap="lg">
        <Simulator id={code.id} drafts={shown} placements={placements} />
        <WeekView drafts={shown} />
      </Stack>
    </div>
  );
}

const AddRule = memo(function AddRule({ onAdd }: { readonly onAdd: (name: TemplateName) => void }) {
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
});

/** Nothing is saved over rules that somebody else has saved meanwhile. What is refused is said beside its rule. */
function useSaveRules(
  code: QrCode,
  onSaved: (after: QrCode, drafts: readonly RuleDraft[]) => void,
  onConflict: (conflict: Conflict) => void,
) {
  const { change, isPending } = useUpdateCode(code);
  const [faults, setFaults] = useState<ReadonlyMap<number, string>>(new Map());
  const onRefused = (error: unknown) => {
    if (error instanceof Conflict) onConflict(error);
    else if (isApiError(error) && error.param?.startsWith('rules'))
      setFaults(
        new Map([
          [
            Number(/^rules\.(\d+)/.exec(error.param)?.[1] ?? -1),
            ruleFault({ param: error.param, message: error.message }),
          ],
        ]),
      );
    else notifyProblem(error, text.notSaved);
  };
  const save = (drafts: readonly RuleDraft[], base: QrCode) => {
    setFaults(new Map());
    change({ rules: bodyOf(drafts) }, onRefused, {
      base,
      onDone: after => onSaved(after, drafts),
    });
  };
  return { save, isPending, faults };
}

/** Scans of the last 30 days by rule. */
function useRuleScans(code: QrCode): (ruleId: string) => number | undefined {
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
    return own.reduce((sum, { scans }) => sum + scans, 0);
  };
}
