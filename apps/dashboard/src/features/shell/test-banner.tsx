import { IconFlask } from '@tabler/icons-react';
import { shellText } from '../../strings/shell.ts';
import classes from './shell.module.css';
import { useChangeMode } from './use-change-mode.ts';

const words = shellText.mode;

export function TestBanner() {
  const change = useChangeMode();
  return (
    <div className={classes.banner}>
      <IconFlask size={18} aria-hidden />
      <span role="status" className={classes.text}>
        {words.bannerTitle}
        <span className={classes.detail}>: {words.banner}</span>
      </span>
      <button type="button" className={classes.leave} onClick={() => void change('live')}>
        {words.leave}
      </button>
    </div>
  );
}
