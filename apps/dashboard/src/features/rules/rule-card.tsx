import {
  ActionIcon,
  Badge,
  Button,
  Group,
  NumberInput,
  Paper,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import {
  IconChevronDown,
  IconChevronUp,
  IconGripVertical,
  IconPlus,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { rulesText as text } from '../../strings/rules.ts';
import { ConditionsFields, FixedCondition } from './conditions-fields.tsx';
import { type ConditionName, nameOf, nextNumber, type RuleDraft, type TargetDraft } from './draft.ts';
import classes from './rules.module.css';

type Props = {
  readonly draft: RuleDraft;
  readonly place: number;
  readonly count: number;
  readonly color: string;
  readonly placements: readonly string[];
  /** Scans that it has decided lately; undefined for a rule that is not saved. */
  readonly scans: string | undefined;
  readonly fault: string | undefined;
  readonly onChange: (draft: RuleDraft) => void;
  readonly onMove: (to: number) => void;
  /** Another rule was dropped here. */
  readonly onDrop: (from: number) => void;
  readonly onRemove: () => void;
};

const dragType = 'application/x-signpost-rule';

/** A rule. It is moved by its handle, or by its buttons: both do the same. */
export function RuleCard(props: Props) {
  const { draft, place, count, color, placements, scans, fault, onChange, onMove, onDrop, onRemove } = props;
  const [isOver, setIsOver] = useState(false);
  const name = nameOf(draft);
  const set = (part: Partial<RuleDraft>) => onChange({ ...draft, ...part });
  const drop = (event: DragEvent) => {
    const from = event.dataTransfer.getData(dragType);
    setIsOver(false);
    if (from === '') return;
    event.preventDefault();
    onDrop(Number(from));
  };
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
        <Group gap="xs" wrap="nowrap" align="flex-end">
          <button
            type="button"
            tabIndex={-1}
            draggable
            className={classes.handle}
            aria-label={text.drag(name)}
            title={text.drag(name)}
            onDragStart={event => event.dataTransfer.setData(dragType, String(place))}
          >
            <IconGripVertical size={18} aria-hidden />
          </button>
          <TextInput
            label={text.name}
            value={draft.name}
            maxLength={80}
            onChange={event => set({ name: event.currentTarget.value })}
            style={{ flex: 1, minWidth: 0 }}
          />
          <ActionIcon
            variant="default"
            size={36}
            disabled={place === 0}
            aria-label={text.moveUp(name)}
            onClick={() => onMove(place - 1)}
          >
            <IconChevronUp size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size={36}
            disabled={place === count - 1}
            aria-label={text.moveDown(name)}
            onClick={() => onMove(place + 1)}
          >
            <IconChevronDown size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="default" size={36} aria-label={text.remove(name)} onClick={onRemove}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
        <Group justify="space-between">
          <Switch
            label={text.active}
            checked={draft.active}
            onChange={event => set({ active: event.currentTarget.checked })}
          />
          {scans !== undefined && <Badge variant="light">{text.scans(scans)}</Badge>}
        </Group>
        <fieldset className={classes.part}>
          <legend>{text.when}</legend>
          <ConditionsFields when={draft.when} onChange={when => set({ when })} placements={placements} />
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
        <Targets targets={draft.to} onChange={to => set({ to })} />
        {fault && (
          <Text size="sm" c="red" role="alert">
            {fault}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

const maxTargets = 10;

function Targets({
  targets,
  onChange,
}: {
  readonly targets: readonly TargetDraft[];
  readonly onChange: (targets: readonly TargetDraft[]) => void;
}) {
  const set = (number: number, part: Partial<TargetDraft>) =>
    onChange(targets.map(target => (target.number === number ? { ...target, ...part } : target)));
  const isSplit = targets.length > 1;
  return (
    <fieldset className={classes.part}>
      <legend>{text.leadsTo}</legend>
      <Stack gap="xs">
        {targets.map(({ number, url, weight }, at) => (
          <Group key={number} gap="xs" wrap="nowrap">
            <TextInput
              type="url"
              aria-label={text.targetOf(at + 1)}
              placeholder={text.urlPlaceholder}
              value={url}
              onChange={event => set(number, { url: event.currentTarget.value })}
              style={{ flex: 1, minWidth: 0 }}
              autoCapitalize="off"
              autoComplete="off"
              spellCheck={false}
            />
            {isSplit && (
              <>
                <NumberInput
                  aria-label={text.weightOf(at + 1)}
                  min={1}
                  max={10_000}
                  w={90}
                  value={weight}
                  onChange={value => set(number, { weight: Math.max(1, Math.round(Number(value) || 1)) })}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={36}
                  aria-label={text.removeTarget(at + 1)}
                  onClick={() => onChange(targets.filter(target => target.number !== number))}
                >
                  <IconX size={16} aria-hidden />
                </ActionIcon>
              </>
            )}
          </Group>
        ))}
        {isSplit && (
          <Text size="xs" c="dimmed">
            {text.splitHint}
          </Text>
        )}
        {targets.length < maxTargets && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            style={{ alignSelf: 'flex-start' }}
            onClick={() =>
              onChange([...targets, { number: nextNumber(targets), url: '', weight: 1, label: '' }])
            }
          >
            {text.addTarget}
          </Button>
        )}
      </Stack>
    </fieldset>
  );
}
