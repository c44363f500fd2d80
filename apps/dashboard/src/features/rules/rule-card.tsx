import {
  ActionIcon,
  Badge,
  Group,
  Paper,
  Stack,
  Switch,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconGripVertical, IconTrash } from '@tabler/icons-react';
import { type DragEvent, memo, useCallback, useRef, useState } from 'react';
import { rulesText as text } from '../../strings/rules.ts';
import { shownUrl } from '../../ui/format.ts';
import { ConditionsFields, FixedCondition, type PlacementOption } from './conditions-fields.tsx';
import { type ConditionName, nameOf, type RuleDraft } from './draft.ts';
import { isUnfinished } from './rule-faults.ts';
import { RuleTargets } from './rule-targets.tsx';
import classes from './rules.module.css';

/** The same for every card, so that a card is drawn again only when its own rule changes. */
export type RuleActions = {
  readonly onChange: (draft: RuleDraft) => void;
  /** With what a screen reader says about it. */
  readonly onMove: (from: number, to: number, saying: string) => void;
  readonly onRemove: (number: number) => void;
};

type Props = RuleActions & {
  readonly draft: RuleDraft;
  readonly place: number;
  readonly count: number;
  readonly color: string;
  readonly placements: readonly PlacementOption[];
  /** Scans that it has decided lately; undefined for a rule that is not saved. */
  readonly scans: number | undefined;
  readonly fault: string | undefined;
  /** What can never match, as it was saved: a sentence per line. */
  readonly warnings: string;
  /** Somebody wanted to save: what is missing is said. */
  readonly isTried: boolean;
  /** Of many rules each begins as a line. */
  readonly startsFolded: boolean;
};

const Conditions = memo(ConditionsFields);
const Targets = memo(RuleTargets);

const dragType = 'application/x-signpost-rule';
type Dragged = { readonly place: number; readonly name: string };

/** A rule. It is moved by its handle, or by its buttons: both do the same. */
export const RuleCard = memo(function RuleCard(props: Props) {
  const { draft, place, count, color, placements, scans, fault, warnings, isTried, onChange, onRemove } =
    props;
  const [isOver, setIsOver] = useState(false);
  const [isOpen, setOpen] = useState(!props.startsFolded);
  const isFolded = !isOpen && fault === undefined && !(isTried && isUnfinished(draft));
  const name = nameOf(draft);
  const latest = useRef(draft);
  latest.current = draft;
  const set = useCallback((part: Partial<RuleDraft>) => onChange({ ...latest.current, ...part }), [onChange]);
  // The same for every letter of the name, so that it alone is drawn again.
  const setWhen = useCallback((when: RuleDraft['when']) => set({ when }), [set]);
  const setTargets = useCallback((to: RuleDraft['to']) => set({ to }), [set]);
  const drop = (event: DragEvent) => {
    const dragged = event.dataTransfer.getData(dragType);
    setIsOver(false);
    if (dragged === '') return;
    event.preventDefault();
    move(JSON.parse(dragged) as Dragged, place);
  };
  const move = (rule: Dragged, to: number) =>
    props.onMove(rule.place, to, text.moved(rule.name, to + 1, count));
  return (
    <Paper
      component="li"
      withBorder
      p="md"
      className={classes.card}
      data-over={isOver || undefined}
      data-off={!draft.active || undefined}
      style={{ borderLeftColor: color }}
      aria-label={text.ruleOf(place + 1, name)}
      onDragOver={event => {
        if (!event.dataTransfer.types.includes(dragType)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Stack gap="sm">
        <Group gap="xs" wrap={isFolded ? 'wrap' : 'nowrap'} align={isFolded ? 'center' : 'flex-end'}>
          <button
            type="button"
            tabIndex={-1}
            draggable
            className={classes.handle}
            aria-label={text.drag(name)}
            title={text.drag(name)}
            onDragStart={event => event.dataTransfer.setData(dragType, JSON.stringify({ place, name }))}
          >
            <IconGripVertical size={18} aria-hidden />
          </button>
          {isFolded ? (
            <Folded draft={draft} scans={scans} onOpen={() => setOpen(true)} />
          ) : (
            <TextInput
              label={text.name}
              value={draft.name}
              maxLength={80}
              onChange={event => set({ name: event.currentTarget.value })}
              style={{ flex: 1, minWidth: 0 }}
            />
          )}
          <ActionIcon
            variant="default"
            size={36}
            disabled={place === 0}
            aria-label={text.moveUp(name)}
            onClick={() => move({ place, name }, place - 1)}
          >
            <IconChevronUp size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size={36}
            disabled={place === count - 1}
            aria-label={text.moveDown(name)}
            onClick={() => move({ place, name }, place + 1)}
          >
            <IconChevronDown size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={text.remove(name)}
            onClick={() => onRemove(draft.number)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
        {!isFolded && (
          <>
            <Group justify="space-between">
              <Switch
                label={text.active}
                checked={draft.active}
                onChange={event => set({ active: event.currentTarget.checked })}
              />
              {scans !== undefined && (
                <Badge variant="light" tt="none" fw={400}>
                  {text.scans(scans)}
                </Badge>
              )}
            </Group>
            <fieldset className={classes.part}>
              <legend>{text.when}</legend>
              <Conditions when={draft.when} onChange={setWhen} placements={placements} isTried={isTried} />
            </fieldset>
            {Object.keys(draft.unless).length > 0 && (
              <fieldset className={classes.part}>
                <legend>{text.unless}</legend>
                {(Object.keys(draft.unless) as ConditionName[]).map(condition => (
                  <FixedCondition
                    key={condition}
                    label={text.conditions[condition]}
                    value={draft.unless[condition]}
                  />
                ))}
              </fieldset>
            )}
            <Targets targets={draft.to} isTried={isTried} onChange={setTargets} />
          </>
        )}
        {fault && (
          <Text size="sm" c="red" role="alert">
            {fault}
          </Text>
        )}
        {warnings
          .split('\n')
          .filter(Boolean)
          .map(warning => (
            <Text key={warning} size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
              {warning}
            </Text>
          ))}
      </Stack>
    </Paper>
  );
});

type FoldedProps = Pick<Props, 'draft' | 'scans'> & { readonly onOpen: () => void };

/** What a rule asks and where it leads, in a line that opens it. */
function Folded({ draft, scans, onOpen }: FoldedProps) {
  const conditions = [...Object.keys(draft.when), ...Object.keys(draft.unless)] as ConditionName[];
  const asked = new Set(conditions.map(condition => text.conditions[condition]));
  const [first, ...others] = draft.to;
  return (
    <UnstyledButton
      aria-expanded={false}
      onClick={onOpen}
      style={{ flex: '1 1 12rem', minWidth: 0, overflowWrap: 'anywhere' }}
    >
      <Text size="sm" fw={600}>
        {nameOf(draft)}
      </Text>
      <Text size="sm" c="dimmed">
        {text.folded(
          asked.size === 0 ? text.always : [...asked].join(' · '),
          others.length > 0 || !first ? text.destinations(draft.to.length) : shownUrl(first.url),
        )}
      </Text>
      <Text size="xs" c="dimmed" className="figures">
        {[...(draft.active ? [] : [text.off]), ...(scans === undefined ? [] : [text.scans(scans)])].join(
          ' · ',
        )}
      </Text>
    </UnstyledButton>
  );
}
