/** Hands out the client secret of one session: the same one until somebody ends it, or the key that derived it is gone. */

import { type IdKeyBindings, readIdKey } from '../ledger/tagged-ids.ts';
import type { Property } from '../properties/configured-properties.ts';
import { type ClientSecret, type DerivingSecrets, nextClientSecret, openClientSecret } from './client-secret.ts';
import type { SecretRequest } from './session-page.ts';
import type { SessionRecord } from './session-record.ts';
import type { SessionStorage } from './session-storage.ts';

type Identity = Pick<SessionRecord, 'id' | 'createdAt'>;

export class ClientSecrets {
  readonly #bindings: IdKeyBindings;
  readonly #store: SessionStorage;

  constructor(bindings: IdKeyBindings, store: SessionStorage) {
    this.#bindings = bindings;
    this.#store = store;
  }

  /** That of a session which is about to begin. */
  async first({ id, createdAt }: Identity, property: Property): Promise<ClientSecret> {
    return nextClientSecret(id, { generation: createdAt }, await this.#secretsOf(property));
  }

  /** The live one of a session that has begun. */
  async issue(
    { id, createdAt }: Identity,
    property: Property,
    { rotate, key, actor }: SecretRequest = { rotate: false },
  ): Promise<{ readonly clientSecret: string; readonly isReplay: boolean }> {
    const secrets = await this.#secretsOf(property);
    const call = key === undefined ? null : `rotate ${key}`;
    for (;;) {
      const before = this.#store.clientSecret();
      const isReplay = rotate && this.#store.findMade(call) !== undefined;
      if (before !== undefined && (!rotate || isReplay)) {
        const live = await openClientSecret(id, before, secrets);
        if (live !== undefined) return { clientSecret: live, isReplay };
      }
      const next = await nextClientSecret(id, before ?? { generation: createdAt }, secrets);
      // Deriving let others run: whoever was faster is asked again.
      const isKept = this.#store.transaction(() => {
        if (this.#store.clientSecret()?.generation !== before?.generation) return false;
        this.#store.keepClientSecret(next.kept);
        if (rotate && !isReplay) {
          this.#store.addMade(call, next.kept.hash);
          if (actor !== undefined) this.#store.tellAudit({ action: 'client_secret.rotated', actor });
        }
        return true;
      });
      if (isKept) return { clientSecret: next.text, isReplay };
    }
  }

  async #secretsOf({ sealingKeys, password }: Property): Promise<DerivingSecrets> {
    const [newest, ...older] = sealingKeys;
    if (newest !== undefined) return [newest, ...older];
    // A test hotel without one: the deployment's own random key, which is stored with the data, and the password, which is not.
    return [`${await readIdKey(this.#bindings)} ${password}`];
  }
}
