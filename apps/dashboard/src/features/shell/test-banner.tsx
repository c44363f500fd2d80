import { IconFlask } from '@tabler/icons-react';
import classes from './shell.module.css';

export function TestBanner() {
  return (
    <div className={classes.banner} role="status">
      <IconFlask size={18} aria-hidden />
      <span>
        Test mode
        <span className={classes.detail}>: a world of its own. Nothing here counts against your plan.</span>
      </span>
    </div>
  );
}
