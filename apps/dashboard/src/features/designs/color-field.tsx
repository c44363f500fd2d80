import { ColorInput, type ColorInputProps } from '@mantine/core';
import { colorPattern } from '@signpost/qr';
import { designsText } from '../../strings/designs.ts';

type Props = Omit<ColorInputProps, 'onChange' | 'value' | 'format'> & {
  readonly label: string;
  /** Where what is around it says what it is for. */
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly onChange: (color: string) => void;
};

const isColor = (value: string) => new RegExp(colorPattern).test(value);
const swatches = ['#000000', '#0C4A6E', '#14532D', '#581C87', '#7F1D1D', '#FFFFFF'];

/** A colour as the API takes it. What is typed half counts once it is whole. */
export function ColorField({ label, isLabelHidden = false, onChange, ...rest }: Props) {
  return (
    <ColorInput
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      onChange={color => isColor(color) && onChange(color.toUpperCase())}
      swatches={swatches}
      format="hex"
      popoverProps={{ withinPortal: true }}
      eyeDropperButtonProps={{ 'aria-label': designsText.style.pick(label) }}
      {...rest}
    />
  );
}
