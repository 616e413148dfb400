/** What all objects have in common: whatever they call is in the place where they are, and an alarm is never lost. */

import { DurableObject } from 'cloudflare:workers';
import { log } from '../http/log.ts';
import { inOwnPlace } from './jurisdiction.ts';
import { alarmForNewer } from './moved-alarms.ts';
import { isNewerDataError } from './schema-version.ts';

export abstract class PlacedObject<Env = unknown> extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, inOwnPlace(ctx.id, env));
  }

  /** Runs what is due. If a newer version has stored it, the alarm comes again until that version is back: the runtime drops failing ones. */
  override async alarm(info?: AlarmInvocationInfo): Promise<void> {
    try {
      await this.runAlarm(info);
    } catch (error) {
      if (!isNewerDataError(error)) throw error;
      log('error', 'newer_data', { error: error.message });
      await this.ctx.storage.setAlarm(alarmForNewer(Date.now()));
    }
  }

  /** What an object does when its alarm comes. */
  protected async runAlarm(_info?: AlarmInvocationInfo): Promise<void> {}
}
