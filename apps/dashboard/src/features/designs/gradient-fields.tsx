import { ActionIcon, Button, Group, Input, NumberInput, Slider, Stack } from '@mantine/core';
import type { Gradient } from '@signpost/qr';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { designsText } from '../../strings/designs.ts';
import { LabelledChoice } from '../../ui/labelled-choice.tsx';
import { ColorField } from './color-field.tsx';
import { canAdd, canRemove, cssOf, movedStop, withStop } from './gradient.ts';
import classes from './gradient-fields.module.css';

type Props = { readonly gradient: Gradient; readonly onChange: (gradient: Gradient) => void };

const text = designsText.gradient;

/** The colours of a gradient with their places, its shape and where it runs to. */
export function GradientFields({ gradient, onChange }: Props) {
  const { type, rotation = 0, stops } = gradient;
  const setStops = (next: Gradient['stops']) => onChange({ ...gradient, stops: next });
  return (
    <Stack gap="md" role="group" aria-label={text.stops}>
      <div
        className={classes.bar}
        style={{ backgroundImage: cssOf(stops) }}
        role="img"
        aria-label={text.preview}
      />
      <Stack gap="xs">
        {stops.map(({ color, offset }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stop is known by its place alone.
          <Group key={at} gap="xs" wrap="nowrap">
            <ColorField
              label={text.color(at + 1)}
              isLabelHidden
              value={color}
              onChange={next => setStops(stops.with(at, { offset, color: next }))}
              className={classes.color}
            />
            <NumberInput
              aria-label={text.position(at + 1)}
              value={Math.round(offset * 100)}
              onChange={value => typeof value === 'number' && setStops(movedStop(stops, at, value / 100))}
              min={0}
              max={100}
              step={5}
              suffix=" %"
              allowDecimal={false}
              w={92}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={text.remove(at + 1)}
              disabled={!canRemove(stops)}
              onClick={() => setStops(stops.toSpliced(at, 1))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        {canAdd(stops) && (
          <Group>
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => setStops(withStop(stops))}
            >
              {text.add}
            </Button>
          </Group>
        )}
      </Stack>
      <LabelledChoice
        label={text.type}
        names={text.types}
        value={type}
        onChange={next => onChange({ ...gradient, type: next })}
      />
      {type === 'linear' && (
        <div>
          <Input.Label labelElement="div">{text.direction}</Input.Label>
          <Slider
            value={rotation}
            onChange={next => onChange({ ...gradient, rotation: next })}
            min={0}
            max={360}
            step={15}
            label={text.degrees}
            thumbLabel={text.direction}
            thumbValueText={text.degrees}
            marks={[0, 90, 180, 270, 360].map(value => ({ value, label: text.degrees(value) }))}
            className={classes.slider}
          />
        </div>
      )}
    </Stack>
  );
}
