import type { StoredToken } from '../domain/ledger.ts';
import type { World } from '../world/world.ts';

/** Stores a card: its mask, its brand and the scenario that its number stands for. */
export function bookToken(world: World, token: Omit<StoredToken, 'tokenNo' | 'at'>): StoredToken {
  const booked: StoredToken = { ...token, tokenNo: world.ids.next('token'), at: world.clock.now() };
  world.ledger.tokens.set(booked.tokenNo, booked);
  return booked;
}

/** Last day of the month of a date: cards expire at the end of a month. */
export function endOfMonth(date: string): string {
  const [year = 1970, month = 1] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** Whether a card that is valid until the given date has expired by now. */
export function hasExpired(world: World, date: string): boolean {
  return endOfMonth(date) < world.clock.localDateTime().slice(0, 10);
}
