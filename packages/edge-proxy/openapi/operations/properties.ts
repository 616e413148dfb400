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
    description: 'Everything but the secrets: the answer only says which of them are set.',
    answers: { 200: RESOURCE },
    problems: ['not_found'],
  },
  putProperty: {
    summary: 'Create a hotel, or replace its configuration',
    description:
      'The body is the JSON of a `PROPERTY_<ID>` secret. Without a condition it adds a hotel; one that exists needs `If-Match`. Applies everywhere within five seconds. While the deployment has such a secret for the hotel, the secret counts; what is put here applies once the secret is gone.',
    answers: { 200: RESOURCE, 201: { ...RESOURCE, description: 'The property, new' } },
    problems: ['version_conflict', 'precondition_required', 'property_unavailable'],
    example: PROPERTY_EXAMPLE,
  },
  patchProperty: {
    summary: 'Update fields of a hotel’s configuration',
    description:
      'A JSON merge patch (RFC 7396): absent fields stay as they are, secrets too; `null` removes a field; a list is replaced whole. With a new origin in `baseUrl` or `allowedOrigins`, give again each secret that is sent there, or whose token is. A removed hotel stays removed: put it, or roll it back. Applies everywhere within five seconds.',
    answers: { 200: RESOURCE },
    problems: ['not_found', ...WRITE_PROBLEMS],
    example: { displayName: 'Grand Hotel Aurora' },
  },
  removeProperty: {
    summary: 'Remove a hotel',
    description:
      'Its keys end and nothing new begins. Payments already begun reach their end, and webhooks report them. For this the configuration is kept for 30 days, in which it can be rolled back. What ends `unknown` can be resolved only once the hotel is back.',
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
      'Makes a new version from it, checked like any other. Restores a removed hotel, too. The merchant keys stay as they are now.',
    answers: { 200: RESOURCE },
    problems: ['not_found', ...WRITE_PROBLEMS],
    example: { version: 3 },
  },
  resealProperty: {
    summary: 'Reseal a hotel’s configuration and its cards with the newest key',
    description:
      'Call it after you have put a new key in front of `SEALING_KEYS`. `innkeep keys reseal` does it for every hotel. Cards are sealed in batches: call it with `nextCursor` until that is null.',
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
