/** Defects put into the proxy on purpose, to see whether the simulation finds them. */

/** A text that is replaced while the proxy is loaded. */
interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** One defect. */
export interface Mutant {
  readonly name: string;
  /** What goes wrong with it. */
  readonly means: string;
  readonly edits: readonly Edit[];
}

const LISTED: readonly (Omit<Mutant, 'edits'> & Edit & { readonly also?: Edit })[] = [
  {
    name: 'key-not-scoped',
    means: 'another hotel’s charge comes back as a replay',
    file: 'money/money-operations.ts',
    from: '[property, kind, key]',
    to: '[kind, key]',
  },
  {
    name: 'error-outweighs-done',
    means: 'state 1 after state 2 is not believed',
    file: 'sessions/attempt-watch.ts',
    from: 'watch: { ...watch, doneSeenAt: watch.doneSeenAt ?? now,',
    to: 'watch: { ...watch, doneSeenAt: watch.errorSeenAt === null ? now : null,',
  },
  {
    name: 'old-places-kept',
    means: 'a payment that was refunded in part counts twice in the totals',
    file: 'ledger/payment-table.ts',
    from: 'if (next?.has(JSON.stringify(entry)) === false) this.#delete(entry);',
    to: 'if (Date.now() < 0) this.#delete(entry);',
  },
  {
    name: 'settle-forgotten',
    means: 'a reversal forgets to tell its payment before the payment has heard',
    file: 'money/reversal-allocation.ts',
    from: `      const settlement = settlementOf(record.state);
`,
    to: `      const settlement = settlementOf(record.state);
      this.#host.store.due.clear('settle');
`,
  },
  {
    name: 'no-claim',
    means: 'a reversal asks for a share and writes nothing down before',
    file: 'money/reversal-allocation.ts',
    from: `      store.addClaim({ id, payment, property, epoch });
`,
    to: '',
  },
  {
    name: 'release-while-creating',
    means: 'a share is released while its reversal is being made',
    file: 'money/reversal-allocation.ts',
    from: `    if (isCreating()) {
      store.due.set('release'`,
    to: `    if (Date.now() < 0) {
      store.due.set('release'`,
  },
  {
    name: 'create-while-releasing',
    means: 'a reversal is made while its share is being released',
    file: 'money/money-operation-object.ts',
    from: `    await this.#allocation.releasing;
    const existing`,
    to: '    const existing',
  },
  {
    name: 'failed-update-taken-as-sent',
    means: 'an update that the ledger has not taken is due later, and the disk says it was due before',
    file: 'records/record-storage.ts',
    from: `      this.#change({});
      this.due.set(SEND_UPDATES`,
    to: '      this.due.set(SEND_UPDATES',
  },
  {
    name: 'moved-alarm-believed',
    means: 'an alarm that the launcher has moved counts as set for that time',
    file: 'objects/moved-alarms.ts',
    from: 'info.scheduledTime > movedUntil ? info.scheduledTime : undefined',
    to: 'movedUntil >= 0 ? info.scheduledTime : undefined',
  },
  {
    name: 'settle-frees-reversed',
    means: 'a late release frees what was refunded',
    file: 'records/shares.ts',
    from: "if (isOfNewer || own?.state === 'reversed') return shares;",
    to: 'if (isOfNewer && Date.now() < 0) return shares;',
  },
  {
    name: 'creating-ignored',
    means: 'a charge that is being made is no duplicate',
    file: 'money/money-operation-object.ts',
    from: "if (this.#creating !== undefined) return 'undecided';",
    to: '',
  },
  {
    name: 'older-version-listed',
    means: 'an older version overwrites a newer one in lists',
    file: 'ledger/ledger-storage.ts',
    from: 'WHERE excluded.seq > resource.seq',
    to: 'WHERE excluded.seq > 0',
  },
  {
    name: 'deadline-cuts-start',
    means: 'the deadline does not wait for a start that came in time',
    file: 'sessions/session-attempts.ts',
    from: `    await this.hostedStart.underWay;
`,
    to: '',
  },
  {
    name: 'one-fault-is-outage',
    means: 'one hosted request that cannot be read stops all charges',
    file: 'upstream/upstream-health.ts',
    from: 'const ENOUGH = 3;',
    to: 'const ENOUGH = 1;',
  },
  {
    name: 'no-late-polls',
    means: 'a success after state 2 is never noticed',
    file: 'sessions/polling-schedule.ts',
    from: 'pollWhilePending(input, after) : pollAfterEnd(input, after);',
    to: 'pollWhilePending(input, after) : undefined;',
  },
  {
    name: 'error-not-held-against-record',
    means: 'state 2 is a failure without reading the record',
    file: 'sessions/attempt-watcher.ts',
    from: 'watch.doneSeenAt !== null || watch.errorSeenAt !== null;',
    to: 'watch.doneSeenAt !== null;',
    also: {
      file: 'sessions/attempt-watch.ts',
      from: '      return { watch: { ...next, recheckAt: errorDecidedAt(next) ?? now } };',
      to: '      return concludeError(next, now);',
    },
  },
  {
    name: 'link-stuck',
    means: 'no attempt is ever abandoned: a started link leads to the same page for ever',
    file: 'sessions/polling-schedule.ts',
    from: 'const MAX_SILENCE_MS: number = HOUR;',
    to: 'const MAX_SILENCE_MS: number = 30 * 24 * HOUR;',
  },
  {
    name: 'guard-ends-with-success',
    means: 'the same charge is made again right after its success',
    file: 'records/reservations.ts',
    from: 'REPEAT_GUARD_MS: number = 10 * 60_000',
    to: 'REPEAT_GUARD_MS: number = 0',
  },
  {
    name: 'allowed-leaves-nothing',
    means: 'a charge that may be a duplicate does not stand in the way of the next',
    file: 'money/charge-guard.ts',
    from: '    const claimed: Outcome<string[]> =',
    to: `    if (isAllowed) return undefined;
    const claimed: Outcome<string[]> =`,
  },
  {
    name: 'sent-unsynced',
    means: 'a charge leaves before the disk has that it was sent',
    file: 'money/money-sender.ts',
    from: `    await store.sync();
`,
    to: '',
  },
  {
    name: 'endpoints-wait',
    means: 'an endpoint that hangs keeps events from the others',
    file: 'ledger/webhook-sender.ts',
    from: 'this.#loops.set(key, this.#run(key));',
    to: 'this.#loops.set(key, Promise.allSettled([...this.#loops.values()]).then(() => this.#run(key)));',
  },
  {
    name: 'duplicate-untold',
    means: 'payments of two sessions of one booking are told to nobody',
    file: 'ledger/ledger-object.ts',
    from: `        if (isNewer && before?.status !== 'succeeded') this.#events.appendDuplicates(update, receivers);
`,
    to: '',
  },
  {
    name: 'refusal-forgets-claim',
    means: 'an attempt that is refused forgets an earlier one that is on its way',
    file: 'money/reversal-allocation.ts',
    from: `    if (earlier === undefined) await store.erase();
`,
    to: `    await store.erase();
`,
  },
  {
    name: 'starts-side-by-side',
    means: 'two starts at the same time open a page each',
    file: 'sessions/hosted-start.ts',
    from: 'if (this.#starting !== undefined) {',
    to: 'if (this.#starting !== undefined && Date.now() < 0) {',
  },
  {
    name: 'expired-while-starting',
    means: 'a session is ended by hand while its page is being opened',
    file: 'sessions/checkout-session-object.ts',
    from: "if (record.state === 'pending' || this.#attempts.hostedStart.underWay !== undefined) {",
    to: "if (found.value.state === 'pending') {",
  },
  {
    name: 'changed-while-starting',
    means: 'other terms take effect while a page is being opened',
    file: 'sessions/session-of-key.ts',
    from: "(state === 'open' && attempts.hostedStart.underWay !== undefined)",
    to: 'false',
  },
  {
    name: 'next-unasked',
    means: 'an attempt begins without asking how the one before ended',
    file: 'sessions/hosted-start.ts',
    from: 'if (earlier.length > 0) {',
    to: 'if (earlier.length > 20) {',
  },
  {
    name: 'abandoned-unasked',
    means: 'only the newest of the attempts before is asked about',
    file: 'sessions/hosted-start.ts',
    from: "status === 'abandoned' || (index === length - 1 && endedWithoutMoney(status))",
    to: 'index === length - 1 && endedWithoutMoney(status)',
  },
  {
    name: 'returned-pays-again',
    means: 'a guest who came back as having paid is led to another page once the attempt was given up',
    file: 'sessions/attempt-record.ts',
    from: 'now < mayBePaidUntil(attempt));',
    to: "(attempt.status !== 'abandoned' && now < mayBePaidUntil(attempt)));",
  },
  {
    name: 'returned-after-failure-pays-again',
    means: 'a guest who came back as having paid after a failure is led to another page',
    file: 'sessions/attempt-record.ts',
    from: 'now < mayBePaidUntil(attempt));',
    to: "(attempt.status === 'abandoned' && now < mayBePaidUntil(attempt)));",
  },
  {
    name: 'no-answer-is-unpaid',
    means: 'an attempt begins although nobody answers how the one before ended',
    file: 'sessions/attempt-watcher.ts',
    from: 'return (wasAnswered || isLongOver(attempt)) && !hasUnclearMoney(attempt);',
    to: 'return !hasUnclearMoney(attempt);',
  },
  {
    name: 'done-is-unpaid',
    means: 'an attempt begins although one before is done, and its record cannot be read yet',
    file: 'sessions/attempt-record.ts',
    from: 'return watch.doneSeenAt !== null || watch.contradictionAt !== null;',
    to: 'return watch.contradictionAt !== null;',
  },
  {
    name: 'paid-ends-watch',
    means: 'once a session is paid, nobody looks at its other attempts',
    file: 'sessions/attempt-watcher.ts',
    from: 'if (session === undefined) return undefined;',
    to: "if (session === undefined || session.state === 'succeeded') return undefined;",
  },
  {
    name: 'second-success-untold',
    means: 'the second payment of a session is told as if it were the first',
    file: 'sessions/session-transition.ts',
    from: "if (first === undefined) return { type: 'checkout.succeeded' };",
    to: "if (first === undefined || Date.now() > 0) return { type: 'checkout.succeeded' };",
  },
  {
    name: 'terms-unasked',
    means: 'a guest pays what the session asks by now, whatever the page showed',
    file: 'sessions/hosted-start.ts',
    from: 'if (terms !== record.terms.version) return termsChanged(record);',
    to: '',
  },
  {
    name: 'terms-never-grow',
    means: 'another amount has the number of the one before',
    file: 'sessions/session-transition.ts',
    from: 'terms.version : terms.version + 1',
    to: 'terms.version : terms.version',
  },
  {
    name: 'pending-takes-any-terms',
    means: 'a page that shows the price by now leads to one that asks the price before',
    file: 'sessions/hosted-start.ts',
    from: 'if (pending.terms.version !== terms) return termsChanged(record);',
    to: '',
  },
  {
    name: 'key-for-a-minute',
    means: 'a key has another session each minute',
    file: 'sessions/session-routes.ts',
    from: "'checkout_session_by_key', key]",
    to: "'checkout_session_by_key', key, String(Math.floor(Date.now() / 60_000))]",
  },
  {
    name: 'secret-for-a-call',
    means: 'every call of a key ends the client secret of the one before',
    file: 'sessions/client-secrets.ts',
    from: 'if (before !== undefined && (!rotate || isReplay)) {',
    to: 'if (before !== undefined && isReplay) {',
  },
  {
    name: 'ended-secret-lives',
    means: 'a session that was ended by hand is opened anew with the same client secret',
    file: 'sessions/session-of-key.ts',
    from: "current.closed?.by === 'merchant' ? await endSecrets(current) : undefined",
    to: 'undefined',
  },
  {
    name: 'ended-link-lives',
    means: 'the links of a session that was ended by hand come back with it',
    file: 'sessions/session-transitions.ts',
    from: "if (event.is === 'offered' && before?.closed?.by === 'merchant') this.#store.renew(next.attempts.length);",
    to: '',
  },
  {
    name: 'opened-anew-unwatched',
    means: 'nobody looks at the abandoned attempts of a session that was opened anew',
    file: 'sessions/session-transitions.ts',
    from: 'if (due.get(pollKind(number)) === undefined) this.#planPoll(next, number, now);',
    to: '',
  },
  {
    name: 'event-of-session',
    means: 'the events of all versions of a session have one id',
    file: 'http/ids.ts',
    from: 'JSON.stringify([id, createdAt, seq])',
    to: 'JSON.stringify([id, createdAt])',
  },
  {
    name: 'start-told',
    means: 'a start is told as if its outcome were in doubt',
    file: 'sessions/session-transition.ts',
    from: `  if (attempt === undefined) return null;
`,
    to: `  if (event.is === 'started') return { type: 'checkout.unknown' };
  if (attempt === undefined) return null;
`,
  },
  {
    name: 'one-payment-per-session',
    means: 'what is refunded is always counted against the first payment of a session',
    file: 'sessions/session-payment.ts',
    from: 'paid.find(({ number }) => wanted === null || number === wanted)',
    to: 'paid[0]',
  },
  {
    name: 'cap-of-session',
    means: 'what is refunded of one attempt counts against the others, too',
    file: 'records/shares.ts',
    from: 'others.filter(({ attempt }) => attempt === asked.attempt)',
    to: 'others',
  },
  {
    name: 'settled-early',
    means: 'an expired session is final an hour after its last abandoned attempt',
    file: 'sessions/session-status.ts',
    from: 'Math.max(0, ...attempts.map(mayBePaidUntil))',
    to: 'Math.max(0, ...attempts.map(mayBePaidUntil)) - 23 * 60 * 60_000',
  },
  {
    name: 'settled-untold',
    means: 'nobody is told that an expired session is final',
    file: 'sessions/session-transition.ts',
    from: "if (event.is === 'closed' || event.is === 'settled')",
    to: "if (event.is === 'closed')",
  },
  {
    name: 'publish-forgotten',
    means: 'the directory never hears of a change',
    file: 'properties/property-object.ts',
    from: 'await this.#directory().publish(',
    to: 'if (version === 1) await this.#directory().publish(',
  },
  {
    name: 'told-before-it-counts',
    means: 'a change is acknowledged although the directory has not heard of it',
    file: 'properties/property-object.ts',
    from: "      return refuse('internal', NOT_TOLD);",
    to: '      return undefined;',
  },
  {
    name: 'copy-never-forgotten',
    means: 'a copy of a configuration is kept although it has changed',
    file: 'properties/property-copies.ts',
    from: 'const age = copy === undefined || now < copy.readAt ? Number.POSITIVE_INFINITY : now - copy.readAt;',
    to: 'const age = copy === undefined ? Number.POSITIVE_INFINITY : 0;',
  },
  {
    name: 'removed-begins',
    means: 'a hotel that was removed opens pages',
    file: 'sessions/hosted-start.ts',
    from: 'if (property.isRemoved) return',
    to: 'if (Date.now() < 0) return',
  },
  {
    name: 'removed-serves',
    means: 'the keys of a hotel that was removed go on',
    file: 'properties/properties.ts',
    from: 'if (property === undefined || property.isRemoved) return undefined;',
    to: 'if (property === undefined) return undefined;',
  },
  {
    name: 'version-unasked',
    means: 'a change is made whatever version it was meant for',
    file: 'properties/property-object.ts',
    from: 'return expected?.includes(newest.version) ? undefined',
    to: 'return newest.version > 0 ? undefined',
  },
  {
    name: 'removal-unasked',
    means: 'a hotel is removed by whoever has not read it',
    file: 'properties/property-object.ts',
    from: "if (expected === undefined) return refuse('precondition_required', UNCONDITIONAL);",
    to: "if (expected === undefined) return edit.action === 'removed' ? undefined : refuse('precondition_required', UNCONDITIONAL);",
  },
  {
    name: 'removed-keeps-keys',
    means: 'the keys of a hotel that was removed stay claimed',
    file: 'properties/property-object.ts',
    from: 'property.isRemoved ? [] : (fields',
    to: '(fields',
  },
  {
    name: 'hint-believed',
    means: 'a key is looked for at the hotel that had it when somebody asked last',
    file: 'properties/properties.ts',
    from: 'return found === undefined && id !== undefined ? principalOf(await ownerOf(hash, id), hash) : found;',
    to: 'return found;',
  },
  {
    name: 'keys-unclaimed',
    means: 'nobody looks whether a key is another hotel’s',
    file: 'properties/property-object.ts',
    from: '.announce(id, version, hashes)',
    to: '.announce(id, version, [])',
  },
  {
    name: 'reseal-forgets-history',
    means: 'only the newest version is sealed anew',
    file: 'properties/property-object.ts',
    from: 'limit: ALL_VERSIONS',
    to: 'limit: 1',
  },
  {
    name: 'unreadable-called-wrong',
    means: 'the key of a hotel that cannot be read right now is called wrong',
    file: 'properties/properties.ts',
    from: "return property.invalid ? { property, key: { id: 'unknown', sha256: hash, scopes: [] } } : undefined;",
    to: 'return undefined;',
  },
  {
    name: 'removed-keeps-old-seal',
    means: 'a hotel that is removed while everything is sealed anew stays under the older key',
    file: 'properties/property-object.ts',
    from: 'const kept = text === null ? (this.#store.newest()?.sealed ?? null) : sealed;',
    to: 'const kept = text === null ? (newest?.sealed ?? null) : sealed;',
  },
  {
    name: 'operator-unbounded',
    means: 'an operator acts for every hotel',
    file: 'properties/callers.ts',
    from: '  if (!isCovered(id, key.properties)) {',
    to: '  if (id.length === 0) {',
  },
  {
    name: 'token-goes-along',
    means: 'a hotel that goes to another payment service takes its access token along',
    file: 'upstream/account-of.ts',
    from: 'JSON.stringify([id, baseUrl, customerId, username, ...allowedOrigins])',
    to: 'JSON.stringify([id, customerId, username, ...allowedOrigins])',
  },
  {
    name: 'feed-cursor-first',
    means: 'a ledger counts its events as handed over before the feed has them',
    file: 'ledger/feed-forwarding.ts',
    from: `        if (heard.length > 0) await feed.append(store.property(), heard);
        store.moveFeed(platform, batch.at(-1)?.position ?? 0);`,
    to: `        store.moveFeed(platform, batch.at(-1)?.position ?? 0);
        if (heard.length > 0) await feed.append(store.property(), heard);`,
  },
  {
    name: 'feed-takes-twice',
    means: 'a feed adds what it has already',
    file: 'ledger/feed-storage.ts',
    from: 'if (event.position <= seq && this.#has(property, event)) continue;',
    to: '',
  },
  {
    name: 'feed-of-everybody',
    means: 'a platform’s feed has the events of hotels that none of its keys is for',
    file: 'properties/platforms.ts',
    from: 'platform.keys.filter(readsEvents).some(isFor(hotel))',
    to: 'platform.keys.some(readsEvents)',
  },
  {
    name: 'feed-shown-whole',
    means: 'a key reads the events of hotels that it is not for',
    file: 'ledger/platform-event-routes.ts',
    from: 'patterns: key.properties',
    to: "patterns: ['*']",
  },
  {
    name: 'limit-uncounted',
    means: 'a limit looks at each reversal alone',
    file: 'ledger/reversal-limit-table.ts',
    from: 'const left = (limit[currency] ?? 0) - sum;',
    to: 'const left = (limit[currency] ?? 0) - Math.min(sum, 0);',
  },
  {
    name: 'audit-twice',
    means: 'what the ledger hears again is in the audit again',
    file: 'ledger/audit-table.ts',
    from: `      at,
      id,
      JSON.stringify(entry),`,
    to: `      at,
      id + Math.random(),
      JSON.stringify(entry),`,
  },
];

/** All of them. */
export const MUTANTS: readonly Mutant[] = LISTED.map(({ name, means, also, ...edit }) => ({
  name,
  means,
  edits: also === undefined ? [edit] : [edit, also],
}));

/** The mutant of a name. */
export function findMutant(name: string): Mutant {
  const mutant = MUTANTS.find((candidate) => candidate.name === name);
  if (mutant !== undefined) return mutant;
  throw new Error(`There is no mutant ${name}; there are: ${MUTANTS.map((each) => each.name).join(', ')}`);
}
