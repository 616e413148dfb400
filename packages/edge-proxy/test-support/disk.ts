import { Schedule, type ScheduleStore, type StoredSchedule } from '../src/objects/schedule.ts';

/** What outlives an instance. An alarm of the past is one of now, as the runtime has it. */
export class Disk {
  row: StoredSchedule | undefined;
  writes = 0;
  alarms: (number | null)[] = [];

  get alarm(): number | null | undefined {
    return this.alarms.at(-1);
  }

  /** A new instance over the same disk. Tasks whose names begin with `poll` bear being run again. */
  open(store: Partial<ScheduleStore> = {}): Schedule {
    const alarm = {
      setAlarm: async (at: number) => void this.alarms.push(Math.max(at, Date.now())),
      deleteAlarm: async () => void this.alarms.push(null),
    };
    return new Schedule(alarm as unknown as DurableObjectStorage, {
      read: () => this.row,
      write: (row) => {
        this.row = row;
        this.writes += 1;
      },
      isRepeatable: (kind) => kind.startsWith('poll'),
      ...store,
    });
  }
}
