import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import type { Design } from '@signpost/contract';
import type { Style } from '@signpost/qr';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useMode } from '../../api/mode.ts';
import { designsText } from '../../strings/designs.ts';
import { LinkButton } from '../../ui/router-link.tsx';
import classes from './design-chips.module.css';
import { QrImage } from './qr-image.tsx';
import { designsQuery } from './queries.ts';
import { isSameStyle } from './same-style.ts';
import { openSaveDesign } from './save-design.tsx';

type Props = { readonly style: Style; readonly onChange: (style: Style) => void };

const text = designsText.chips;
const plain = 'plain';
/** More are found on the page of designs. */
const shown = 11;

/** Saved designs to start from, each shown as it looks; and this one to be saved. */
export function DesignChips({ style, onChange }: Props) {
  const { data: designs = [] } = useQuery(designsQuery(useMode()));
  const isPlain = isSameStyle(style, {});
  return (
    <Stack gap="sm">
      {designs.length > 0 && <Chips designs={designs.slice(0, shown)} style={style} onChange={onChange} />}
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDeviceFloppy size={14} aria-hidden />}
          disabled={isPlain || designs.some(design => isSameStyle(design.style, style))}
          onClick={() => openSaveDesign(style)}
        >
          {text.save}
        </Button>
        {designs.length > 0 && (
          <LinkButton to="/designs" variant="subtle" size="xs">
            {text.manage}
          </LinkButton>
        )}
      </Group>
    </Stack>
  );
}

function Chips({ designs, style, onChange }: Props & { readonly designs: readonly Design[] }) {
  const id = useId();
  const chosen = designs.find(design => isSameStyle(design.style, style))?.id;
  const choose = (value: string) => onChange(designs.find(design => design.id === value)?.style ?? {});
  return (
    <Radio.Group
      label={text.label}
      name={id}
      value={chosen ?? (isSameStyle(style, {}) ? plain : '')}
      onChange={choose}
    >
      <Group gap="xs" mt={6}>
        <Chip value={plain} name={text.plain} style={{}} />
        {designs.map(design => (
          <Chip key={design.id} value={design.id} name={design.name} style={design.style} />
        ))}
      </Group>
    </Radio.Group>
  );
}

type ChipProps = { readonly value: string; readonly name: string; readonly style: Style };

function Chip({ value, name, style }: ChipProps) {
  return (
    <Radio.Card value={value} className={classes.chip} aria-label={name}>
      <div className={classes.picture}>
        <QrImage text={sampleLink} style={style} label="" />
      </div>
      <Text size="xs" className={classes.name} title={name}>
        {name}
      </Text>
    </Radio.Card>
  );
}

/** As long as most short links. */
const sampleLink = 'https://go.example.com/bcdfghjk';
