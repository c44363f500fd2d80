import { Input, Slider, Stack } from '@mantine/core';
import { type Logo, largestLogoMargin } from '@signpost/qr';
import { designsText } from '../../strings/designs.ts';
import { LabelledChoice } from '../../ui/labelled-choice.tsx';
import classes from './logo-field.module.css';
import { LogoMeter } from './logo-meter.tsx';

type Props = {
  readonly logo: Logo;
  readonly link: string;
  readonly isCompact: boolean | undefined;
  readonly onChange: (logo: Logo) => void;
};

const text = designsText.logo;

/** How large a logo is, in which shape, and what that costs. */
export function LogoSettings({ logo, link, isCompact, onChange }: Props) {
  const { size = 'medium', shape = 'square', margin = 0.5 } = logo;
  return (
    <Stack gap="md">
      <LabelledChoice
        label={text.size}
        names={text.sizes}
        value={size}
        onChange={next => onChange({ ...logo, size: next })}
      />
      <LogoMeter logo={logo} link={link} isCompact={isCompact} />
      <LabelledChoice
        label={text.shape}
        names={text.shapes}
        value={shape}
        onChange={next => onChange({ ...logo, shape: next })}
      />
      <div>
        <Input.Label labelElement="div">{text.margin}</Input.Label>
        <Slider
          value={margin}
          onChange={next => onChange({ ...logo, margin: next })}
          min={0}
          max={largestLogoMargin}
          step={0.5}
          label={text.margins}
          thumbLabel={text.margin}
          thumbValueText={text.margins}
          marks={[0, 1, 2].map(value => ({
            value,
            label: value === 0 ? text.noMargin : text.margins(value),
          }))}
          className={classes.slider}
        />
      </div>
    </Stack>
  );
}
