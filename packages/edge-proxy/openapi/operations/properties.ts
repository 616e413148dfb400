/** The hotels of a deployment, for their operators. */
import {
  PlatformKeyListSchema,
  PROPERTY_EXAMPLE,
  PropertyListSchema,
  PropertyResourceSchema,
  PropertyVersionListSchema,
  ResealedPropertySchema,
} from '@innkeep/core/contract';
import type { OperationTexts } from '../operation-text.ts';

const WRITE_PROBLEMS = [
  'configured_by_secret',
  'version_conflict',
  'precondition_required',
  'property_unavailable',
] as const;
const RESOURCE = {
  description: 'The property; `ETag` is its version',
  schema: PropertyResourceSchema,
  headers: ['ETag'],
} as const;

export const PROPERTIES: OperationTexts = {
  listProperties: {
    summary: 'List hotels by id',
    description: 'Those that the key is for, in the directory and in secrets of the deployment.',
    answers: { 200: { description: 'A page', schema: PropertyListSchema } },
  },
  retrieveProperty: {
    summary: 'Retrieve a hotel’s configuration',
    description: 'Everything but the secrets, of which only is said which ones are set.',
    answers: { 200: RESOURCE },
    problems: ['not_found'],
  },
  putProperty: {
    summary: 'Create a hotel, or replace its configuration',
    description:
      'The body is the JSON of a `PROPERTY_<ID>` secret. Without a condition it adds a hotel; one that exists needs `If-Match`. Counts everywhere within five seconds. While the deployment has such a secret for the hotel, the secret counts; what is put here does once it is gone.',
    answers: { 200: RESOURCE, 201: { ...RESOURCE, description: 'The property, new' } },
    problems: ['version_conflict', 'precondition_required', 'property_unavailable'],
    example: PROPERTY_EXAMPLE,
  },
  patchProperty: {
    summary: 'Update fields of a hotel’s configuration',
    description:
      'A JSON merge patch (RFC 7396): what is absent stays as it is, secrets too, except that another origin in `baseUrl` or `allowedOrigins` needs those that are sent there, or whose token is, again; `null` takes a field out; a list is replaced whole. A removed hotel stays removed: put it, or roll it back. Counts everywhere within five seconds.',
    answers: { 200: RESOURCE },
    problems: ['not_found', ...WRITE_PROBLEMS],
    example: { displayName: 'Grand Hotel Aurora' },
  },
  removeProperty: {
    summary: 'Remove a hotel',
    description:
      'Its keys end and nothing new begins. Payments that were begun reach their end, and webhooks tell of them: for 30 days the configuration is kept, and can be rolled back to.',
    answers: { 200: RESOURCE },
    problems: ['not_found', ...WRITE_PROBLEMS],
  },
  listPropertyVersions: {
    summary: 'List the versions of a hotel’s configuration',
    description: 'The newest version first. Fields are named, secrets among them; values are not shown.',
    answers: { 200: { description: 'A page', schema: PropertyVersionListSchema } },
    problems: ['not_found', 'configured_by_secret'],
  },
  rollBackProperty: {
    summary: 'Roll a hotel’s configuration back to an earlier version',
    description:
      'Makes a new version of it, checked like any other. Takes a removed hotel back, too. The merchant keys stay those of today.',
    answers: { 200: RESOURCE },
    problems: ['not_found', ...WRITE_PROBLEMS],
    example: { version: 3 },
  },
  resealProperty: {
    summary: 'Reseal a hotel’s configuration and its cards with the newest key',
    description:
      'After `SEALING_KEYS` has got a new key in front. `innkeep keys reseal` does it for every hotel. Cards are sealed in batches: call it with `nextCursor` until that is null.',
    answers: { 200: { description: 'How much an older key had sealed', schema: ResealedPropertySchema } },
    problems: ['not_found', 'property_unavailable'],
    example: { cursor: 'cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E' },
  },
  listPlatformKeys: {
    summary: 'List the keys of the platform with their scopes and last use',
    description: 'The keys as they are configured, and the hour of the last use.',
    answers: { 200: { description: 'Every key', schema: PlatformKeyListSchema } },
  },
};
