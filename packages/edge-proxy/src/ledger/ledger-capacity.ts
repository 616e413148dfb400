/** How full a ledger is, and what follows from it. Pure. */
import type { PropertyStatus } from '@innkeep/core/contract';

/** Capacity of a ledger. */
export type LedgerSpace = PropertyStatus['ledger'];

/** What Cloudflare gives an object with SQLite. */
const DEFAULT_MAX_BYTES = 10_000_000_000;
const NEARLY_FULL = 0.7;
/** The rest is kept for outcomes of what is stored already. */
const FULL = 0.95;

/** Whether a text can be the setting `LEDGER_MAX_BYTES`. */
export function isMaxBytes(setting: string): boolean {
  return /^[1-9]\d{0,14}$/.test(setting);
}

/** What the bytes on disk mean. `setting`: the deployment's; if it is not a number of bytes, it counts as absent. */
export function ledgerSpace(bytes: number, setting: string | null | undefined): LedgerSpace {
  const maxBytes = isMaxBytes(setting ?? '') ? Number(setting) : DEFAULT_MAX_BYTES;
  const share = bytes / maxBytes;
  const status = share >= FULL ? 'full' : share >= NEARLY_FULL ? 'nearly_full' : 'ok';
  return { status, bytes, maxBytes, percent: Math.floor(share * 1_000) / 10 };
}
