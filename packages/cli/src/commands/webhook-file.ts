/** Webhooks with their secrets, which no proxy gives out, from an earlier file. */
import type { PropertyResource, WebhookSettings } from '@innkeep/core/contract';
import type { CommandContext } from '../context/command-context.ts';
import { usageError } from '../failures/cli-error.ts';
import { readJsonObject } from '../input/read-input.ts';

/** A webhook as settings hold it. */
export type StoredWebhook = WebhookSettings & { readonly properties?: readonly string[] | undefined };

/**
 * The webhooks of a hotel's settings, or of what a command printed with `--json`, unless an endpoint or a secret has changed since: all
 * are written together. Without the version that is printed, the hosts are all that can be compared.
 */
export async function webhooksOf(
  context: CommandContext,
  from: string,
  { id, version, settings }: Pick<PropertyResource, 'id' | 'version' | 'settings'>,
): Promise<readonly StoredWebhook[]> {
  const { webhooks, version: before } = await readJsonObject(context.io, from, '--from');
  const isWebhook = (value: unknown): value is StoredWebhook =>
    typeof Object(value).url === 'string' && Object(value).secret !== undefined;
  if (!Array.isArray(webhooks) || !webhooks.every(isWebhook)) {
    throw usageError(
      `--from: ${from} has no webhooks with url and secret.`,
      'Name a file with what `innkeep hotel add --json` printed, or with the JSON of the hotel’s settings.',
    );
  }
  const hosts = settings?.webhooks.map(({ host }) => host).sort() ?? [];
  const hostsBefore = webhooks.map(({ url }) => (URL.canParse(url) ? new URL(url).host : '')).sort();
  const isOlder = typeof before === 'number' && (await haveChanged(context, id, { before, version: version ?? 0 }));
  if (hosts.join() === hostsBefore.join() && !isOlder) return webhooks;
  const now = hosts.length === 0 ? 'no endpoint' : `endpoints at ${hosts.join(', ')}`;
  throw usageError(
    `--from is out of date: ${id} has ${now}${isOlder ? `, and they have changed since version ${before}` : ''}. Nothing was changed.`,
    'Name a file with what the last change of its endpoints printed with --json, or add what is missing to this one and remove its version.',
  );
}

/** Whether webhooks have changed since a version, or the version belongs to an earlier hotel of this name. */
async function haveChanged(
  context: CommandContext,
  id: string,
  { before, version }: { readonly before: number; readonly version: number },
): Promise<boolean> {
  const { properties } = await context.platform();
  for await (const each of properties.versions(id, { limit: 100 }, { signal: context.io.signal })) {
    if (each.version <= before) break;
    if (each.fields.includes('webhooks')) return true;
  }
  return before > version;
}
