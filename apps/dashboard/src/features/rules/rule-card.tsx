import { ActionIcon, Badge, Group, Paper, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconGripVertical, IconTrash } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { rulesText as text } from '../../strings/rules.ts';
import { ConditionsFields, FixedCondition, type PlacementOption } from './conditions-fields.tsx';
import { type ConditionName, nameOf, type RuleDraft } from './draft.ts';
import { RuleTargets } from './rule-targets.tsx';
import classes from './rules.module.css';

type Props = {
  readonly draft: RuleDraft;
  readonly place: number;
  readonly count: number;
  readonly color: string;
  readonly placements: readonly PlacementOption[];
  /** Scans that it has decided lately; undefined for a rule that is not saved. */
  readonly scans: string | undefined;
  readonly fault: string | undefined;
  /** Somebody wanted to save: what is missing is said. */
  readonly isTried: boolean;
  readonly onChange: (draft: RuleDraft) => void;
  readonly onMove: (to: number) => void;
  /** Another rule was dropped here. */
  readonly onDrop: (from: number) => void;
  readonly onRemove: () => void;
};

const dragType = 'application/x-signpost-rule';

/** A rule. It is moved by its handle, or by its buttons: both do the same. */
export function RuleCard(props: Props) {
  const {
    draft,
    place,
    count,
    color,
    placements,
    scans,
    fault,
    isTried,
    onChange,
    onMove,
    onDrop,
    onRemove,
  } = props;
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
          <ConditionsFields
            when={draft.when}
            onChange={when => set({ when })}
            placements={placements}
            isTried={isTried}
          />
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
        <RuleTargets targets={draft.to} isTried={isTried} onChange={to => set({ to })} />
        {fault && (
          <Text size="sm" c="red" role="alert">
            {fault}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
