/** `/v1/properties`: the hotels of the directory, for operators. A change counts everywhere within five seconds. */

import {
  ListPropertiesSchema,
  ListPropertyVersionsSchema,
  PropertyIdSchema,
  PropertyPatchSchema,
  type PropertyResource,
  PropertySchema,
  type PropertySummary,
  type ResealedProperty,
  ResealPropertySchema,
  RollBackSchema,
} from '@innkeep/core/contract';
import type { Context, MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import { describe, takes } from '../http/describe.ts';
import { ProblemError } from '../http/problem.ts';
import { json } from '../http/response-headers.ts';
import { jsonBody, params, query } from '../http/validate.ts';
import type { PlatformEnv } from './caller-env.ts';
import { noteKeyRefusal } from './callers.ts';
import type { InvalidProperty, Property } from './configured-properties.ts';
import type { DirectoryEntry } from './directory-storage.ts';
import { condition, etag } from './if-match.ts';
import { type LiveHotelSources, refuseLiveHotel } from './live-hotel.ts';
import { type PropertyChange, type PropertyEdit, type ShownProperty, showFields } from './property-configuration.ts';
import { isCovered } from './property-pattern.ts';
import { platformApp } from './resource-app.ts';

const idParam = params(v.strictObject({ id: PropertyIdSchema }));
// Taken as it was written, so that a default stays a default; the object checks it whole.
const anyFields = jsonBody(v.looseObject({}), { mayHoldLists: true });
const propertyBody: typeof anyFields = takes({ body: { schema: PropertySchema, isOptional: false } }, (c, next) =>
  anyFields(c, next),
);
const patchBody: typeof anyFields = takes({ body: { schema: PropertyPatchSchema, isOptional: false } }, (c, next) =>
  anyFields(c, next),
);

export interface DirectoryDependencies extends LiveHotelSources {
  /** Seals a batch of a hotel's cards with the newest key. */
  readonly resealCards: (
    property: string,
    cursor: string,
  ) => Promise<Omit<ResealedProperty, 'object' | 'id' | 'resealed'>>;
}

/** Comes after {@link idParam}: the key must be for this hotel. */
const coveredOnly: MiddlewareHandler<PlatformEnv, '/:id'> = async (c, next) => {
  const id = c.req.param('id');
  c.get('logFields').property = id;
  if (!isCovered(id, c.get('principal').key.properties)) {
    noteKeyRefusal(c, { reason: 'property', key: c.get('actor').by.key });
    throw new ProblemError('forbidden', { detail: 'This key is not for this property' });
  }
  await next();
};

export const properties = platformApp<DirectoryDependencies>({ tag: 'Properties' })
  .get(
    '/',
    describe({ id: 'listProperties', scopes: ['properties', 'read'] }),
    query(ListPropertiesSchema),
    async (c) => {
      const { search = null, status, limit, cursor = '' } = c.req.valid('query');
      const { properties: all, directory } = c.get('dependencies');
      const patterns = c.get('principal').key.properties;
      const isRemoved = status === undefined ? null : status === 'removed';
      const page = { patterns, search, isRemoved, after: cursor, limit: limit + 1 };
      const matches = ({ id, displayName }: PropertySummary): boolean =>
        id > cursor &&
        isCovered(id, patterns) &&
        isRemoved !== true &&
        `${id} ${displayName ?? ''}`.toLowerCase().includes((search ?? '').toLowerCase());
      const inSecrets = all.inSecrets.map(summaryOfSecret).filter(matches);
      const ids = new Set(all.inSecrets.map(({ id }) => id));
      const found = await directory.list(page);
      // When the directory has more, nothing is known beyond this id: hotels of secrets beyond it belong to a later page.
      const end = found.length > limit ? found.at(-1)?.id : undefined;
      const inDirectory = found.filter(({ id }) => !ids.has(id)).map(summaryOfEntry);
      const data = [...inSecrets, ...inDirectory]
        .filter(({ id }) => end === undefined || id <= end)
        .sort((one, other) => (one.id < other.id ? -1 : 1));
      const nextCursor = (data.length > limit ? data[limit - 1]?.id : end) ?? null;
      return json(c, { object: 'list', data: data.slice(0, limit), nextCursor, coversAll: patterns.includes('*') });
    },
  )
  .get(
    '/:id',
    describe({ id: 'retrieveProperty', scopes: ['properties', 'read'] }),
    idParam,
    coveredOnly,
    async (c) => {
      const { id } = c.req.valid('param');
      const inSecrets = secretProperty(c, id);
      const { directory } = c.get('dependencies');
      if (inSecrets !== undefined) return json(c, resourceOfSecret(inSecrets, await directory.keyUses(id)));
      return answer(c, id, await directory.show(id));
    },
  )
  .put(
    '/:id',
    describe({ id: 'putProperty', scopes: ['properties'] }),
    idParam,
    coveredOnly,
    condition,
    propertyBody,
    async (c) => change(c, c.req.valid('param').id, { action: 'replaced', json: c.req.valid('json') }),
  )
  .patch(
    '/:id',
    describe({ id: 'patchProperty', scopes: ['properties'] }),
    idParam,
    coveredOnly,
    condition,
    patchBody,
    async (c) => change(c, c.req.valid('param').id, { action: 'changed', json: c.req.valid('json') }),
  )
  .delete(
    '/:id',
    describe({ id: 'removeProperty', scopes: ['properties'] }),
    idParam,
    coveredOnly,
    condition,
    async (c) => change(c, c.req.valid('param').id, { action: 'removed' }),
  )
  .get(
    '/:id/versions',
    describe({ id: 'listPropertyVersions', scopes: ['properties', 'read'] }),
    idParam,
    coveredOnly,
    query(ListPropertyVersionsSchema),
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) {
        throw new ProblemError('invalid_request', { detail: 'Not a cursor of this list', param: 'cursor' });
      }
      const page = { before: cursor === undefined ? null : Number(cursor), limit: limit + 1 };
      const data = await c
        .get('dependencies')
        .directory.versions(await idInDirectory(c, c.req.valid('param').id), page);
      const nextCursor = data.length > limit ? String(data[limit - 1]?.version) : null;
      return json(c, { object: 'list', data: data.slice(0, limit), nextCursor });
    },
  )
  .post(
    '/:id/roll-back',
    describe({ id: 'rollBackProperty', scopes: ['properties'] }),
    idParam,
    coveredOnly,
    condition,
    jsonBody(RollBackSchema),
    async (c) => change(c, c.req.valid('param').id, { action: 'rolled_back', version: c.req.valid('json').version }),
  )
  .post(
    '/:id/reseal',
    describe({ id: 'resealProperty', scopes: ['properties'] }),
    idParam,
    coveredOnly,
    jsonBody(ResealPropertySchema, { isOptional: true }),
    async (c) => {
      const { id } = c.req.valid('param');
      const { cursor } = c.req.valid('json');
      const { directory, resealCards } = c.get('dependencies');
      // A secret is not sealed, but what was put into the directory for it is. Once, at the beginning.
      const isSealed = cursor === undefined && (secretProperty(c, id) === undefined || (await directory.has(id)));
      const resealed = isSealed ? await directory.reseal(id) : 0;
      return json(c, { object: 'resealed_property', id, resealed, ...(await resealCards(id, cursor ?? '')) });
    },
  );

type PlatformContext = Omit<Context<PlatformEnv<DirectoryDependencies>>, 'set'>;

async function change(
  c: PlatformContext & { get(name: 'expected'): PropertyChange['expected'] },
  property: string,
  edit: PropertyEdit,
): Promise<Response> {
  // What is written for a hotel that is still a secret counts once the secret is gone: so it moves without a gap.
  const id = edit.action === 'replaced' ? property : await idInDirectory(c, property);
  const { platform } = c.get('principal');
  const secret = secretProperty(c, id);
  const { action } = edit;
  if (!platform.livemode) await refuseLiveHotel({ id, action, secret }, c.get('dependencies'));
  const by = c.get('actor');
  const { directory, properties: known } = c.get('dependencies');
  const asked = { edit, by, expected: c.get('expected'), mayBeLive: platform.livemode };
  // Whatever came of it: it may be stored although nobody could say so.
  const shown = await directory.change(id, asked).finally(() => known.forget(id));
  // Whatever existed is changed only under a condition.
  return answer(c, id, shown, asked.expected == null ? 201 : 200);
}

/** The id of the address, unless the hotel is a secret of the deployment and nothing else. */
async function idInDirectory(c: PlatformContext, id: string): Promise<string> {
  if (secretProperty(c, id) === undefined || (await c.get('dependencies').directory.has(id))) return id;
  const detail = `This property is configured by the secret PROPERTY_${id.toUpperCase()}; PUT puts it into the directory`;
  throw new ProblemError('configured_by_secret', { detail, resource: id });
}

function secretProperty(c: PlatformContext, id: string): Property | InvalidProperty | undefined {
  return c.get('dependencies').properties.inSecrets.find((property) => property.id === id);
}

function answer(c: PlatformContext, id: string, shown: ShownProperty, status: 200 | 201 = 200): Response {
  const { isRemoved, createdAt, updatedAt, ...rest } = shown;
  const state = isRemoved ? 'removed' : shown.problem === null ? 'active' : 'unusable';
  const times = { createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() };
  const resource: PropertyResource = { object: 'property', id, status: state, source: 'directory', ...rest, ...times };
  return json(c, resource, status, etag(shown.version));
}

const OF_SECRET = { object: 'property', source: 'secret', version: null, updatedAt: null } as const;

function summaryOfSecret(property: Property | InvalidProperty): PropertySummary {
  const { id, invalid } = property;
  const status = invalid ? 'unusable' : 'active';
  const shown = invalid ? { displayName: null, livemode: null } : property;
  return { ...OF_SECRET, id, status, displayName: shown.displayName, livemode: shown.livemode };
}

function resourceOfSecret(
  property: Property | InvalidProperty,
  keyUses: Readonly<Record<string, number>>,
): PropertyResource {
  const summary = { ...summaryOfSecret(property), createdAt: null, updatedBy: null };
  if (property.invalid) {
    const { field, message } = property;
    return { ...summary, settings: null, secrets: [], problem: { field, message } };
  }
  const { id: _id, invalid: _invalid, sealingKeys: _keys, isRemoved: _removed, ...fields } = property;
  const { settings, secrets, problem } = showFields(fields, keyUses);
  return { ...summary, settings, secrets, problem };
}

function summaryOfEntry({ isRemoved, updatedAt, ...entry }: DirectoryEntry): PropertySummary {
  const status = isRemoved ? 'removed' : 'active';
  return { object: 'property', source: 'directory', ...entry, status, updatedAt: new Date(updatedAt).toISOString() };
}
