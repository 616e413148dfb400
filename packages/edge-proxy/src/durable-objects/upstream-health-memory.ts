/** What this isolate last saw of each upstream: a success is only worth telling after a failure. */
import type { Property } from '../config/properties.ts';

const lastSeen = new Map<string, boolean>();

/** Remembers what this isolate saw last; true when that is worth telling. */
export function rememberHealth(property: Property, isUp: boolean): boolean {
  const key = JSON.stringify([property.id, property.baseUrl]);
  const isNews = !isUp || lastSeen.get(key) === false;
  lastSeen.set(key, isUp);
  return isNews;
}
